/** Whether a character is one unit of UTF-16 in the whole text. */
const isPlain = (text: string) => !/[\ud800-\udbff]/.test(text)

/** Characters of a text. */
export const lengthOf = (text: string): number => (isPlain(text) ? text.length : [...text].length)

/** Characters before an index of UTF-16. */
export const charactersBefore = (text: string, index: number): number =>
  isPlain(text) ? index : [...text.slice(0, index)].length

/** Characters from one to before another one. */
export const sliceOf = (text: string, from: number, to: number): string =>
  isPlain(text) ? text.slice(from, to) : [...text].slice(from, to).join('')
