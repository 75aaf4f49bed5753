/** Makes a parser of one value that of an option which may be repeated. */
export function listOf<T>(
  parse: (text: string) => T,
): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, parse(text)]
}
