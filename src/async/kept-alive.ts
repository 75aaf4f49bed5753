import { clearTimeout, setTimeout } from './clock.ts'

/** Milliseconds; a longer timer would fire at once. */
const longest = 2 ** 31 - 1

/** Waits for a promise that nothing else may keep the process alive for. */
export async function keptAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setTimeout(() => undefined, longest)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
