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

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const substitution = (row[column - 1] ?? 0) + (to[column - 1] === character ? 0 : 1)
      next.push(Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[to.length] ?? 0
}
