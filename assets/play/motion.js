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

/**
 * A button that calls a function.
 * @param {string} className
 * @param {string} label
 * @param {() => void} press
 */
export function makeButton(className, label, press) {
  const button = make('button', className, label)
  button.setAttribute('type', 'button')
  button.addEventListener('click', press)
  return button
}
