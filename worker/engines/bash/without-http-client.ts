/**
 * Loads just-bash, which looks at `globalThis.Headers` as it loads, for a `curl` that ours stands in for. Node loads its HTTP
 * client at that look, which takes each worker 40 ms, and 10 GiB of address space for its WebAssembly.
 */
export async function withoutHttpClient<T>(load: () => Promise<T>): Promise<T> {
  if (!('Headers' in globalThis)) return load()
  // Node 22 loads the client also where the property is described or defined anew.
  Reflect.deleteProperty(globalThis, 'Headers')
  try {
    return await load()
  } finally {
    putHeaders()
  }
}

/** Puts the class back, which is loaded at the first look. */
function putHeaders(): void {
  const put = (value: unknown) => {
    Object.defineProperty(globalThis, 'Headers', { configurable: true, writable: true, value })
    return value
  }
  Object.defineProperty(globalThis, 'Headers', {
    configurable: true,
    get: () => put(new Response().headers.constructor),
    set: put,
  })
}
