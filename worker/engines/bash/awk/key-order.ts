/** Keys of an array in the order in which gawk's `for (key in array)` takes them: texts as its hash table has them, then whole numbers. */
export function keysInOrder(keys: Iterable<string>): string[] {
  const numbers: string[] = []
  const texts: string[] = []
  for (const key of keys) (isWhole(key) ? numbers : texts).push(key)
  return [...hashed(texts), ...numbers.sort((left, right) => Number(left) - Number(right))]
}

const isWhole = (key: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 31

/** The lengths of the table. It grows where its lists would have more than two keys on average. */
const SIZES = [13, 127, 1021, 8191, 131_071, 1_048_573, 8_388_593] as const

/** A key is put in front of the list of its place, also where the table grows. */
function hashed(keys: readonly string[]): string[] {
  let [grown, size] = [0, SIZES[0] as number]
  let lists: string[][] = []
  keys.forEach((key, count) => {
    const next = SIZES[grown + 1]
    if (next !== undefined && Math.floor((count + 1) / size) > 2) {
      grown += 1
      size = next
      const old = lists.flatMap((list) => list.toReversed())
      lists = []
      for (const moved of old) put(lists, moved, size)
    }
    put(lists, key, size)
  })
  return lists.flatMap((list) => list.toReversed())
}

/** The first key of a list is its last here. */
function put(lists: string[][], key: string, size: number): void {
  const at = hash(key) % size
  const list = lists[at]
  if (list === undefined) lists[at] = [key]
  else list.push(key)
}

function hash(key: string): number {
  let code = 0
  // Its characters have a sign.
  for (const byte of Buffer.from(key)) code = (Math.imul(code, 65_599) + ((byte << 24) >> 24)) >>> 0
  return code
}
