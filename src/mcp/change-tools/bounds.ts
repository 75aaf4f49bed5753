/** Paths of one list that a call gives, at most. */
export const MOST_PATHS = 1000
/** Characters of text that a call gives, at most, where the options of the tools do not say. */
export const MOST_CHARACTERS = 30_000

/** The first of some lines, which have at most so many characters together; one at least, where there is one. */
export function linesWithin(lines: readonly string[], characters: number): readonly string[] {
  let room = characters
  const end = lines.findIndex((line) => {
    room -= line.length + 1
    return room < 0
  })
  return end === -1 ? lines : lines.slice(0, Math.max(1, end))
}
