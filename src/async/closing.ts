/**
 * Does a piece of work with something that is closed after it. `await using` does not do: in a context of its own, as some
 * test runners make one, the symbols of Node's classes are others than those there.
 */
export async function closing<R extends { close(): Promise<unknown> }, T>(
  resource: R,
  work: (resource: R) => Promise<T>,
): Promise<T> {
  try {
    return await work(resource)
  } finally {
    await resource.close()
  }
}
