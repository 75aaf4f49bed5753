// Prints whether Node's HTTP client is loaded where something looks for the headers of requests.
import { withoutHttpClient } from '../../../../../worker/engines/bash/without-http-client.ts'

/** What Node has loaded of itself: its types do not have it. */
const modules: unknown = Reflect.get(process, 'moduleLoadList')

const hidden = await withoutHttpClient(async () => typeof globalThis.Headers)
const isLoaded = Array.isArray(modules) && modules.some((name) => String(name).includes('undici/undici'))
const headers = new Headers({ a: 'b' })
const later = [[...headers].map((pair) => pair.join(': ')).join(), headers instanceof globalThis.Headers]
console.log(JSON.stringify({ hidden, isLoaded, later }))
