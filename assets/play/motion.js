// @ts-check

/** Milliseconds that one thing takes to move. */
export const MOVE = 320

/** Whether the reader asked for no motion. */
export function isStill() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/**
 * Create an element of HTML.
 * @param {string} kind
 * @param {string} className
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function make(kind, className, text = '') {
  const element = document.createElement(kind)
  element.className = className
  element.textContent = text
  return element
}

/** @typedef {[look: string, label: string, press: () => void]} Action A button, and what it calls. */

/** @param {Action} action */
function makeButton([look, label, press]) {
  const button = make('button', look, label)
  button.setAttribute('type', 'button')
  button.addEventListener('click', press)
  return button
}

/**
 * Write words and the buttons below them; a keyboard that was there stays there.
 * @param {HTMLElement} place Holds both.
 * @param {string} text
 * @param {Action[]} actions
 * @param {string} [before] Small words above the text.
 */
export function writeGuide(place, text, actions, before = '') {
  const said = /** @type {HTMLElement} */ (place.querySelector('.said'))
  const row = /** @type {HTMLElement} */ (place.querySelector('.buttons'))
  const { activeElement } = /** @type {ShadowRoot | Document} */ (place.getRootNode())
  const pressed = [...row.children].indexOf(/** @type {Element} */ (activeElement))
  const wasHere = pressed >= 0 || activeElement === said
  said.replaceChildren(...(before ? [make('small', '', before)] : []), text)
  const buttons = actions.map(makeButton)
  row.replaceChildren(...buttons)
  if (!wasHere) return
  said.tabIndex = -1
  const next = buttons[Math.min(Math.max(0, pressed), buttons.length - 1)] ?? said // which waits where no button is
  next.focus()
}
