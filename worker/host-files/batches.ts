/** The most native calls in flight at once, and the most bytes in them. More would not be faster. */
const MOST_CALLS = 16
const MOST_BYTES = 4 * 1024 * 1024

/**
 * Makes a native call for each item, several at a time. The engine runs them one after the other, but the time to reach it
 * overlaps. For calls whose order does not matter. Results are in the order of the items.
 *
 * @param sizeOf - bytes that an item's call carries.
 * @throws the error of the first failed call, when none is in flight any more.
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; ) {
    const batch: Item[] = []
    for (let bytes = 0; from < items.length && batch.length < MOST_CALLS && bytes < MOST_BYTES; from++) {
      const item = items[from] as Item
      bytes += sizeOf(item)
      batch.push(item)
    }
    for (const settled of await Promise.allSettled(batch.map(call))) {
      if (settled.status === 'rejected') throw settled.reason
      results.push(settled.value)
    }
  }
  return results
}
