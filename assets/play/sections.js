// @ts-check
import { make } from './motion.js'

/** The left side: a row for each section, whose words fade and lose their place. */
export class Sections {
  /**
   * @param {import('./types.js').PictureData} data
   * @param {HTMLElement} list Receives the rows.
   */
  constructor(data, list) {
    this.longest = data.longest
    this.rows = data.titles.map((title, row) => {
      const item = make('li', 'section')
      item.style.setProperty('--topic', data.colors[row])
      const place = make('span', 'words')
      place.setAttribute('aria-hidden', 'true')
      const heading = make('span', 'section-title', title)
      const spoken = make('span', 'spoken')
      item.append(heading, spoken, place)
      list.append(item)
      return { title, item, place, spoken, words: /** @type {Map<string, HTMLElement>} */ (new Map()) }
    })
  }

  /**
   * Show the topics of one stop; words that stay move to their new places.
   * @param {import('./types.js').Topic[]} topics
   */
  show(topics) {
    this.#addWords(topics)
    topics.forEach((topic, number) => {
      const row = this.rows[number]
      row.item.classList.toggle('lost', !topic.found)
      row.item.style.setProperty('--strength', String(topic.strength))
      row.spoken.textContent = `${topic.found ? '' : ', too noisy'}: ${topic.words.join(', ')}`
      for (const [word, element] of row.words) {
        if (!topic.words.includes(word)) element.classList.add('gone')
      }
      topic.words.forEach((word, place) => {
        const element = /** @type {HTMLElement} */ (row.words.get(word))
        element.className = `word${topic.own[place] ? '' : ' stranger'}`
        element.dataset.place = String(place)
        element.style.setProperty('--place', String(place))
        element.style.setProperty('--share', String(Math.min(1, topic.shares[place] / this.longest)))
      })
    })
  }

  /**
   * Add the words that were never shown, all before any is laid out.
   * @param {import('./types.js').Topic[]} topics
   */
  #addWords(topics) {
    /** @type {HTMLElement[]} */
    const added = []
    topics.forEach((topic, number) => {
      const { place, words } = this.rows[number]
      for (const word of topic.words) {
        if (words.has(word)) continue
        const element = make('span', 'word gone')
        element.append(make('span', 'word-text', word), make('i', 'bar'))
        element.style.setProperty('--place', '5')
        place.append(element)
        words.set(word, element)
        added.push(element)
      }
    })
    added.at(-1)?.getBoundingClientRect() // so that they move from where they enter
  }
}

/**
 * Number of leading words that two stops share, section by section, and of all.
 * @param {import('./types.js').Topic[]} topics
 * @param {import('./types.js').Topic[]} others
 */
export function countShared(topics, others) {
  let shared = 0
  let total = 0
  topics.forEach((topic, row) => {
    total += topic.words.length
    shared += topic.words.filter((word) => others[row].words.includes(word)).length
  })
  return { shared, total }
}
