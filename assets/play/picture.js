// @ts-check
import { Heaps } from './heaps.js'
import { Guide } from './guide.js'
import { make } from './motion.js'
import { Sections, countShared } from './sections.js'

const FRAME = `
<div class="budget">
  <label for="budget"><span>Privacy budget</span> <output class="epsilon" for="budget"></output></label>
  <input id="budget" type="range" min="0" step="1">
  <div class="ticks" aria-hidden="true"></div>
</div>
<div class="sides">
  <section class="side" aria-labelledby="learned">
    <header><h2 id="learned">What you learn</h2><p class="finding" aria-live="polite"></p></header>
    <ol class="sections"></ol>
  </section>
  <section class="side" aria-labelledby="attacked">
    <header><h2 id="attacked">What an attacker learns</h2><button type="button" class="take-out"></button></header>
    <figure class="letter">
      <blockquote></blockquote>
      <figcaption>— <b class="writer"></b> <span>· bold words are counted</span></figcaption>
    </figure>
    <div class="heaps">
      <svg role="img"></svg>
      <span class="with-label" aria-hidden="true">● with it</span>
      <span class="without-label" aria-hidden="true">◆ without it</span>
    </div>
    <p class="says" aria-hidden="true"><span>← looks like “not in”</span><span>looks like “in” →</span></p>
    <div class="guide"><p class="said" aria-live="polite"></p><div class="buttons"></div></div>
  </section>
</div>
<p class="meaning"></p>`

/** The living picture: a slider, what one learns, and what an attacker learns. */
class Picture {
  /**
   * @param {import('./types.js').PictureData} data
   * @param {HTMLElement} root
   * @param {(stop: string) => void} tell Called when the slider comes to rest at another stop.
   */
  constructor(data, root, tell) {
    this.data = data
    this.isOut = false
    root.innerHTML = FRAME
    /** @param {string} selector */
    this.find = (selector) => /** @type {HTMLElement} */ (root.querySelector(selector))
    this.root = root
    this.slider = /** @type {HTMLInputElement} */ (this.find('input'))
    this.sections = new Sections(data, this.find('.sections'))
    this.svg = /** @type {SVGElement} */ (/** @type {unknown} */ (this.find('svg')))
    this.guide = new Guide(data, new Heaps(this.svg), this.find('.guide'), (name) => {
      this.slider.value = String(this.indexOf(name))
      this.show()
      tell(name)
    })
    this.drawLetter()
    this.slider.max = String(data.stops.length - 1)
    this.slider.value = String(this.indexOf(data.stop))
    data.stops.forEach((stop) => this.find('.ticks').append(make('span', '', stop.tick)))
    this.slider.addEventListener('input', () => {
      this.guide.begin()
      this.show()
    })
    this.slider.addEventListener('change', () => tell(this.stop.name))
    this.show()
  }

  get stop() {
    return this.data.stops[Number(this.slider.value)]
  }

  /** @param {string} name */
  indexOf(name) {
    return Math.max(0, this.data.stops.findIndex((stop) => stop.name === name))
  }

  /** Draw both sides at the slider's stop. */
  show() {
    const stop = this.stop
    const topics = this.isOut ? stop.without : stop.with
    const found = topics.filter((topic) => topic.found).length
    this.root.dataset.stop = stop.name
    this.find('.epsilon').textContent = stop.label
    this.find('.finding').textContent = `${found} of ${topics.length} sections found${this.comparison(stop)}`
    this.find('.meaning').textContent = stop.meaning
    this.slider.setAttribute('aria-valuetext', `${stop.label}, ${found} of ${topics.length} sections found`)
    this.slider.style.setProperty('--filled', String(Number(this.slider.value) / Number(this.slider.max)))
    this.sections.show(topics)
    this.guide.show(stop)
    this.svg.setAttribute('aria-label', this.guide.describe())
  }

  /** @param {import('./types.js').Stop} stop */
  comparison(stop) {
    if (!this.isOut) return ''
    const { shared, total } = countShared(stop.without, stop.with)
    return ` · without the letter, ${shared} of ${total} words are the same`
  }

  drawLetter() {
    const { writer, words } = this.data.letter
    const quote = this.find('blockquote')
    for (const [word, isCounted] of words) {
      quote.append(isCounted ? make('b', '', word) : word, ' ')
    }
    this.find('.writer').textContent = writer
    const button = this.find('.take-out')
    button.textContent = 'Take it out'
    button.addEventListener('click', () => {
      this.isOut = !this.isOut
      button.textContent = this.isOut ? 'Put it back' : 'Take it out'
      this.find('.letter').classList.toggle('out', this.isOut)
      this.show()
    })
  }
}

/** @type {WeakMap<object, Picture>} */
const pictures = new WeakMap()

/**
 * Draw the picture once; Streamlit calls this again at every run of its page.
 * @param {{data: import('./types.js').PictureData, parentElement: ParentNode,
 *   setStateValue?: (name: string, value: string) => void}} component
 */
export default function draw({ data, parentElement, setStateValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector('.play'))
  if (pictures.has(root)) return
  pictures.set(root, new Picture(data, root, (stop) => setStateValue?.('stop', stop)))
}
