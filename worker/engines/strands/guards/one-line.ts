/** Ends of lines after which a command, pattern or list goes on. */
const OPEN_END = /(?:\{|\bdo|\bin|\bthen|\belse|;;)$/

/** A line break that is not quoted by itself. */
const LINE_END = /(?<!')\n|\n(?!')/

/** Puts a shell function on one line, but for line breaks in quotes: the engine's time to read one is quadratic in its lines. */
export function oneLine(definition: string): string {
  const lines = definition.split(LINE_END).map((line) => line.trim())
  return lines.reduce((text, line) => `${text}${OPEN_END.test(text) ? ' ' : '; '}${line}`)
}
