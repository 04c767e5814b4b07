/**
 * The numbers that the picture shows, as `dplda/lessons/play/picture.py` writes them.
 *
 * @typedef {object} Topic A section as found at one stop.
 * @property {string[]} words Leading words, the first one first.
 * @property {number[]} shares Their probabilities.
 * @property {boolean[]} own Whether each is a word of this section.
 * @property {number} strength How near the topic is to the true section: 1 is exact, 0 is far off.
 * @property {boolean} found Whether it counts as found.
 *
 * @typedef {object} Stop One stop of the slider.
 * @property {string} name Its name in the address.
 * @property {string} label Its name on the page.
 * @property {string} tick Its name below the slider.
 * @property {Topic[]} with Sections from all letters.
 * @property {Topic[]} without Sections with another letter in the place of this one.
 * @property {number[] | null} runsWith Scores of runs with the letter; null if every run tells.
 * @property {number[] | null} runsWithout Scores of runs without it.
 * @property {[number, boolean][]} stars More runs to bet on: score, and whether the letter was in.
 * @property {number} attacker Right guesses of the best attacker in 100.
 * @property {string} promise What the stop promises, in a few words.
 * @property {string} meaning The same in a sentence.
 * @property {[string, string][]} offers Stops offered after a bet: name, and the words of the offer.
 *
 * @typedef {object} Letter
 * @property {string} writer
 * @property {[string, boolean][]} words Words of the text, and whether the method counts each.
 * @property {string} question Who must not know of it, asked before the first run.
 *
 * @typedef {object} PictureData
 * @property {string[]} titles Titles of the sections.
 * @property {string[]} colors Their colors.
 * @property {number} longest Probability of a bar as wide as its place.
 * @property {Letter} letter
 * @property {Stop[]} stops
 * @property {string} stop Name of the first stop shown.
 */
export {}
