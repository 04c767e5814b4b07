// @ts-check
import { MOVE, isStill } from './motion.js'

const CELL = 12 // units of the picture that a dot takes
const COLUMNS = 24 // of dots, on either side of the middle
const ROWS = 12 // of dots, above the line and below it
const BIN = 0.15 // score of one column
const STAGGER = 18 // milliseconds from one falling dot to the next
const WIDTH = (2 * COLUMNS + 1) * CELL
const HEIGHT = (2 * ROWS + 2) * CELL
const MIDDLE = HEIGHT / 2

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{from: Point, at: Point, to: Point, begin: number, falls: boolean}} Dot */

const CIRCLE = 'm-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0'
const DIAMOND = 'm0-5.6 5.6 5.6-5.6 5.6-5.6-5.6z'

/**
 * The place across of a score.
 * @param {number} score
 */
function across(score) {
  const column = Math.max(-COLUMNS, Math.min(COLUMNS, Math.round(score / BIN)))
  return WIDTH / 2 + column * CELL
}

/**
 * Places of dots that are stacked away from the line in the order given; a full column spills inward.
 * @param {number[] | null} scores Null where every run tells: then all lie at the end of their side.
 * @param {number} count
 * @param {number} side 1 above the line, −1 below it.
 * @returns {Point[]}
 */
export function stack(scores, count, side) {
  /** @type {Map<number, number>} */
  const heights = new Map()
  return Array.from({ length: count }, (_, number) => {
    let x = across(scores ? scores[number] : side * COLUMNS * BIN)
    while ((heights.get(x) ?? 0) >= ROWS) x -= Math.sign(x - WIDTH / 2) * CELL || CELL
    const height = heights.get(x) ?? 0
    heights.set(x, height + 1)
    return { x, y: MIDDLE - side * (height + 0.75) * CELL }
  })
}

/** Runs as dots in two mirrored heaps: with the letter above the line, without it below. */
export class Heaps {
  /** @param {SVGElement} svg Is drawn into. */
  constructor(svg) {
    this.svg = svg
    svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`)
    svg.innerHTML =
      `<line class="level" x1="0" x2="${WIDTH}" y1="${MIDDLE}" y2="${MIDDLE}"/>` +
      `<line class="middle" x1="${WIDTH / 2}" x2="${WIDTH / 2}" y1="0" y2="${HEIGHT}"/>` +
      '<path class="with dots"/><path class="without dots"/><g class="star"><line/><path d="M0-9 2.6-3.2 9-2.6 4.2 1.7 5.6 8 0 4.7' +
      '-5.6 8-4.2 1.7-9-2.6-2.6-3.2Z"/></g>'
    this.outlines = [...svg.querySelectorAll('.dots')]
    this.star = /** @type {SVGElement} */ (svg.querySelector('.star'))
    this.star.querySelector('line')?.setAttribute('y2', String(HEIGHT))
    this.star.querySelector('line')?.setAttribute('y1', String(-HEIGHT))
    /** @type {Dot[]} */
    this.dots = []
    this.frame = 0
  }

  /**
   * Move the dots to the runs of a stop, or let them rain.
   * @param {number[] | null} runsWith
   * @param {number[] | null} runsWithout
   * @param {number} count Runs of either kind.
   * @param {boolean} isRain Whether each falls from outside, one after the other.
   * @returns {number} Milliseconds until all lie.
   */
  show(runsWith, runsWithout, count, isRain) {
    const places = [...ranked(stack(runsWith, count, 1)), ...ranked(stack(runsWithout, count, -1))]
    const now = performance.now()
    places.forEach((to, number) => {
      const isAbove = number < count
      const dot = this.dots[number] ?? this.#addDot(to)
      const order = isRain ? shuffled(number % count, count) : 0
      if (isRain) dot.at = { x: to.x, y: isAbove ? -CELL : HEIGHT + CELL }
      Object.assign(dot, { from: { ...dot.at }, to, falls: isRain, begin: now + order * STAGGER })
    })
    this.#draw(isStill() ? Infinity : now)
    return isRain && !isStill() ? count * STAGGER + MOVE : MOVE
  }

  /**
   * Show one more run as a star on the line; null for none.
   * @param {number | null} score
   */
  showStar(score) {
    this.star.classList.toggle('shown', score !== null)
    if (score === null) return
    const place = `translate(${across(score)}px, `
    this.star.style.transition = 'none'
    this.star.style.transform = `${place}12px)`
    this.star.getBoundingClientRect() // so that it falls from there
    this.star.style.transition = ''
    this.star.style.transform = `${place}${MIDDLE}px)`
  }

  /**
   * @param {Point} place
   * @returns {Dot}
   */
  #addDot(place) {
    const at = { x: place.x, y: MIDDLE }
    const dot = { from: at, at, to: at, begin: 0, falls: false }
    this.dots.push(dot)
    return dot
  }

  /**
   * Draw either heap as one path: two hundred elements would be too many for each frame.
   * @param {number} now
   */
  #draw(now) {
    cancelAnimationFrame(this.frame)
    const count = this.dots.length / 2
    for (const dot of this.dots) dot.at = placeAt(dot, now)
    this.outlines[0]?.setAttribute('d', outline(this.dots.slice(0, count), CIRCLE))
    this.outlines[1]?.setAttribute('d', outline(this.dots.slice(count), DIAMOND))
    const isMoving = this.dots.some((dot) => now < dot.begin + MOVE)
    if (isMoving) this.frame = requestAnimationFrame((time) => this.#draw(time))
  }
}

/**
 * Where a dot is: it falls faster and faster, or comes to rest slowly.
 * @param {Dot} dot
 * @param {number} now
 * @returns {Point}
 */
function placeAt({ begin, falls, from, to }, now) {
  const passed = Math.max(0, Math.min(1, (now - begin) / MOVE))
  const way = falls ? passed * passed : 1 - (1 - passed) ** 3
  return { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way }
}

/**
 * A path of one shape at the place of every dot.
 * @param {Dot[]} dots
 * @param {string} shape
 */
function outline(dots, shape) {
  return dots.map(({ at }) => `M${at.x.toFixed(1)} ${at.y.toFixed(1)}${shape}`).join('')
}

/**
 * Places from left to right, so that a dot keeps its rank from one stop to the next.
 * @param {Point[]} places
 */
function ranked(places) {
  return places.sort((one, other) => one.x - other.x || Math.abs(one.y - MIDDLE) - Math.abs(other.y - MIDDLE))
}

/**
 * A place in an order without pattern, the same at each call.
 * @param {number} number
 * @param {number} count
 */
function shuffled(number, count) {
  return (number * 37) % count
}
