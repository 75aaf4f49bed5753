const MAX_NAME = 40

/** The known name that a mistyped one was probably meant to be, if one is near. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined
  const wanted = name.toLowerCase().replaceAll(/[-_]/g, '')
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** How many letters differ, were left out, came in between, or changed places with their neighbours. */
function editDistance(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  const letters = [...from]
  for (const [index, letter] of letters.entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const substitution = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1)
      const isSwapped =
        column > 1 && to[column - 1] === letters[index - 1] && to[column - 2] === letter && index > 0
      const swap = isSwapped ? (before[column - 2] ?? 0) + 1 : substitution
      next.push(Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, substitution, swap))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
