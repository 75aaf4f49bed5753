/** A run of lines that differs: `[from, to)` of each side. */
export interface Hunk {
  readonly left: readonly [from: number, to: number]
  readonly right: readonly [from: number, to: number]
}

/** The shortest edit script, by Myers's greedy algorithm. `same` compares two lines by number. */
export function differences(
  leftCount: number,
  rightCount: number,
  same: (left: number, right: number) => boolean,
): Hunk[] {
  let start = 0
  while (start < leftCount && start < rightCount && same(start, start)) start += 1
  let tail = 0
  while (
    tail < leftCount - start &&
    tail < rightCount - start &&
    same(leftCount - 1 - tail, rightCount - 1 - tail)
  )
    tail += 1
  const pairs = commonPairs(start, leftCount - tail, rightCount - tail, same)
  return hunks([...pairs, [leftCount - tail, rightCount - tail]], start)
}

function hunks(pairs: readonly (readonly [number, number])[], start: number): Hunk[] {
  const found: Hunk[] = []
  let [left, right] = [start, start]
  for (const [nextLeft, nextRight] of pairs) {
    if (nextLeft > left || nextRight > right)
      found.push({ left: [left, nextLeft], right: [right, nextRight] })
    left = nextLeft + 1
    right = nextRight + 1
  }
  return found
}

/** Lines of the middle that both sides keep, in order. */
function commonPairs(
  start: number,
  leftEnd: number,
  rightEnd: number,
  same: (left: number, right: number) => boolean,
): [number, number][] {
  const [width, height] = [leftEnd - start, rightEnd - start]
  const reach = new Map<number, number>([[1, 0]])
  const trail: Map<number, number>[] = []
  for (let depth = 0; depth <= width + height; depth += 1) {
    trail.push(new Map(reach))
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = goesDown(reach, diagonal, depth)
        ? (reach.get(diagonal + 1) ?? 0)
        : (reach.get(diagonal - 1) ?? 0) + 1
      while (x < width && x - diagonal < height && same(start + x, start + x - diagonal)) x += 1
      reach.set(diagonal, x)
      if (x >= width && x - diagonal >= height) return backtrack(trail, width, height, start)
    }
  }
  return []
}

function goesDown(reach: Map<number, number>, diagonal: number, depth: number): boolean {
  if (diagonal === -depth) return true
  return diagonal !== depth && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1)
}

function backtrack(
  trail: Map<number, number>[],
  width: number,
  height: number,
  start: number,
): [number, number][] {
  const pairs: [number, number][] = []
  let [x, y] = [width, height]
  for (let depth = trail.length - 1; depth >= 0; depth -= 1) {
    const reach = trail[depth] ?? new Map<number, number>()
    const diagonal = x - y
    const before = goesDown(reach, diagonal, depth) ? diagonal + 1 : diagonal - 1
    const fromX = reach.get(before) ?? 0
    const fromY = fromX - before
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1
      y -= 1
      pairs.push([start + x, start + y])
    }
    if (depth > 0) [x, y] = [fromX, fromY]
  }
  return pairs.reverse()
}
