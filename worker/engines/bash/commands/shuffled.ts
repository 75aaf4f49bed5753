/** The same array in a random order. */
export function shuffled<T>(items: T[]): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1))
    const taken = items.splice(other, 1, ...items.slice(at, at + 1))
    items.splice(at, 1, ...taken)
  }
  return items
}
