/** Ends of lines after which a command, pattern or list goes on. */
const OPEN_END = /(?:\{|\bdo|\bin|\bthen|\belse|;;)$/

/** Puts a shell function on one line: the engine's time to read one is quadratic in its lines. */
export function oneLine(definition: string): string {
  const lines = definition.split('\n').map((line) => line.trim())
  return lines.reduce((text, line) => `${text}${OPEN_END.test(text) ? ' ' : '; '}${line}`)
}
