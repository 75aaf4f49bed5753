/** Native calls in flight at once, and the bytes they may carry together: more would not be faster. */
const MOST_CALLS = 16
const MOST_BYTES = 4 * 1024 * 1024

/**
 * Makes a native call for each item, some at a time: they run one after the other all the same, but their ways to the
 * engine and back overlap. For calls whose order does not matter. Results come in the order of the items.
 *
 * @param sizeOf - bytes that an item's call carries.
 * @throws what the first failed call threw, once none is in flight any more.
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
