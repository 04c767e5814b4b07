// @ts-check
import { isStill, writeGuide } from './motion.js'

const BETS = 3
const RAIN = 'Above the line: runs with the letter. Below it: runs with another letter in its place.'

/** Leads from the first run to a bet, from there to the number, and on to the next stop. */
export class Guide {
  /**
   * @param {import('./types.js').PictureData} data
   * @param {import('./heaps.js').Heaps} heaps
   * @param {HTMLElement} place Holds the words and the buttons.
   * @param {(stop: string) => void} go Moves the slider.
   */
  constructor(data, heaps, place, go) {
    this.heaps = heaps
    this.go = go
    this.place = place
    this.question = data.letter.question
    this.stop = data.stops[0]
    /** @type {'start' | 'rain' | 'bet' | 'number'} */
    this.phase = 'start'
    this.knowsNumber = false
    /** @type {Map<string, number>} */
    this.rightByStop = new Map()
    /** @type {Map<string, number>} */
    this.starsUsed = new Map()
    /** @type {boolean[]} */
    this.answers = []
    this.timer = 0
  }

  /** Lay the dots down without rain, for a visitor who moves the slider first. */
  begin() {
    clearTimeout(this.timer)
    if (this.phase === 'start' || this.phase === 'rain') this.phase = 'bet'
  }

  /**
   * Follow the slider.
   * @param {import('./types.js').Stop} stop
   */
  show(stop) {
    const isNew = stop !== this.stop
    this.stop = stop
    if (this.phase === 'start') return this.#write(this.question, [['main', '▶ Run the method 200 times', () => this.#rain()]])
    if (this.phase === 'rain') return
    if (isNew) {
      this.phase = this.knowsNumber ? 'number' : 'bet'
      this.answers = []
    }
    if (isNew || !this.heaps.dots.length) this.#showRuns(false)
    if (this.phase === 'bet') this.#ask('')
    else this.#tell('')
  }

  /** The heaps in words. */
  describe() {
    if (this.phase === 'start') return 'No run yet.'
    const { runsWith, runsWithout, label } = this.stop
    const wrong = (runsWith ?? []).filter((score) => score < 0).length
    const others = (runsWithout ?? []).filter((score) => score > 0).length
    return `${label}: of 100 runs with the letter, ${wrong} look like runs without it; of 100 without it, ${others} look like runs with it.`
  }

  /** @param {boolean} isRain */
  #showRuns(isRain) {
    return this.heaps.show(this.stop.runsWith, this.stop.runsWithout, 100, isRain)
  }

  #rain() {
    this.phase = 'rain'
    this.#write(RAIN, [])
    const lasting = this.#showRuns(true)
    this.timer = setTimeout(() => {
      this.phase = 'bet'
      this.show(this.stop)
    }, isStill() ? 0 : lasting)
  }

  get #star() {
    const used = this.starsUsed.get(this.stop.name) ?? 0
    return this.stop.stars[used % this.stop.stars.length]
  }

  /** @param {string} before What the last bet came to. */
  #ask(before) {
    this.heaps.showStar(this.#star[0])
    const question = `★ A new run, star ${this.answers.length + 1} of ${BETS}: was the letter in?`
    this.#write(`${before}${question}`, [
      ['with', '● With it', () => this.#bet(true)],
      ['without', '◆ Without it', () => this.#bet(false)],
    ])
  }

  /** @param {boolean} answer */
  #bet(answer) {
    const wasIn = this.#star[1]
    this.starsUsed.set(this.stop.name, (this.starsUsed.get(this.stop.name) ?? 0) + 1)
    this.answers.push(answer === wasIn)
    const before = `${answer === wasIn ? 'Right' : 'Wrong'}: it was ${wasIn ? 'in' : 'not in'}. `
    if (this.answers.length < BETS) return this.#ask(before)
    this.rightByStop.set(this.stop.name, this.answers.filter(Boolean).length)
    this.answers = []
    this.knowsNumber = true
    this.phase = 'number'
    this.#tell(before)
  }

  /** @param {string} before */
  #tell(before) {
    const { name, attacker, promise, offers } = this.stop
    const right = this.rightByStop.get(name)
    const you = right === undefined ? '' : `You: ${right} of ${BETS}. `
    this.heaps.showStar(null)
    /** @type {import('./motion.js').Action[]} */
    const actions = offers.map(([stop, words], place) => [place ? '' : 'main', words, () => this.go(stop)])
    actions.push(['', right === undefined ? 'Bet on three stars' : 'Bet again', () => this.#betAgain()])
    this.#write(`${you}The best attacker: ${attacker} in 100. ${promise}`, actions, before)
  }

  #betAgain() {
    this.phase = 'bet'
    this.#ask('')
  }

  /**
   * @param {string} text
   * @param {import('./motion.js').Action[]} actions
   * @param {string} [before] Small words above the text.
   */
  #write(text, actions, before = '') {
    this.place.classList.toggle('number', this.phase === 'number')
    writeGuide(this.place, text, actions, before)
  }
}
