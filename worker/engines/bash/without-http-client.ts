/**
 * Loads just-bash, which looks at `globalThis.Headers` as it loads, for a `curl` that ours stands in for. Node loads its HTTP
 * client at that look, which takes each worker 40 ms, and 10 GiB of address space for its WebAssembly.
 */
export async function withoutHttpClient<T>(load: () => Promise<T>): Promise<T> {
  const headers = Object.getOwnPropertyDescriptor(globalThis, 'Headers')
  if (headers === undefined) return load()
  Object.defineProperty(globalThis, 'Headers', { configurable: true, writable: true, value: undefined })
  try {
    return await load()
  } finally {
    Object.defineProperty(globalThis, 'Headers', headers)
  }
}
