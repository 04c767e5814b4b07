// @ts-check
import { Heaps } from './heaps.js'
import { writeGuide } from './motion.js'

const ROUNDS = 10
const GAME_FRAME = `
<p class="story"></p>
<div class="heaps">
  <svg role="img"></svg>
  <span class="with-label" aria-hidden="true"></span>
  <span class="without-label" aria-hidden="true"></span>
</div>
<div class="guide"><p class="said" aria-live="polite"></p><div class="buttons"></div></div>`

/**
 * @typedef {object} Match Runs of one method on two collections.
 * @property {string} title
 * @property {number[]} first Scores of known runs on the first collection.
 * @property {number[]} second Of those on the second.
 * @property {[number, boolean][]} stars New runs: score, and whether it used the first collection.
 * @property {string} result What the best attacker gets, and what was promised.
 *
 * @typedef {object} GameData
 * @property {string} story
 * @property {[string, string]} names Of the letter in either collection.
 * @property {Match[]} matches
 */

/** Two matches of ten rounds: which of two letters was in? */
class Game {
  /**
   * @param {GameData} data
   * @param {HTMLElement} root
   */
  constructor(data, root) {
    this.data = data
    root.innerHTML = GAME_FRAME
    /** @param {string} selector */
    this.find = (selector) => /** @type {HTMLElement} */ (root.querySelector(selector))
    this.svg = /** @type {SVGElement} */ (/** @type {unknown} */ (this.find('svg')))
    this.heaps = new Heaps(this.svg)
    this.guide = this.find('.guide')
    this.number = 0
    this.match = data.matches[0]
    /** @type {boolean[]} */
    this.answers = []
    this.find('.story').textContent = data.story
    this.find('.with-label').textContent = `● ${data.names[0]}`
    this.find('.without-label').textContent = `◆ ${data.names[1]}`
    this.begin(0)
  }

  /** @param {number} number Of the match. */
  begin(number) {
    this.number = number
    this.match = this.data.matches[number]
    this.answers = []
    const { first, second, title } = this.match
    this.heaps.show(first, second, Math.min(first.length, second.length), false)
    this.svg.setAttribute('aria-label', `Known runs with ${title}: above the line with one letter, below it with the other.`)
    this.ask('')
  }

  /** @param {string} before What the last guess came to. */
  ask(before) {
    const round = this.answers.length + 1
    this.heaps.showStar(this.match.stars[round - 1][0])
    writeGuide(this.guide, `${before}${this.match.title}, round ${round} of ${ROUNDS}: which letter was in the run ★?`, [
      ['with', `● ${this.data.names[0]}`, () => this.guess(true)],
      ['without', `◆ ${this.data.names[1]}`, () => this.guess(false)],
    ])
  }

  /** @param {boolean} isFirst */
  guess(isFirst) {
    const wasFirst = this.match.stars[this.answers.length][1]
    this.answers.push(isFirst === wasFirst)
    if (this.answers.length < ROUNDS) return this.ask(isFirst === wasFirst ? 'Right. ' : 'Wrong. ')
    const right = this.answers.filter(Boolean).length
    const isLast = this.number === this.data.matches.length - 1
    this.heaps.showStar(null)
    writeGuide(this.guide, `You: ${right} of ${ROUNDS}. ${this.match.result}`, [
      ['main', isLast ? 'Play again' : 'Next match', () => this.begin(isLast ? 0 : this.number + 1)],
    ])
  }
}

/**
 * Draw the game.
 * @param {GameData} data
 * @param {HTMLElement} root
 */
export function drawGame(data, root) {
  return new Game(data, root)
}
