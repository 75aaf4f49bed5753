/** What is written there is gone. */
export const SINKS: ReadonlySet<string> = new Set(['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'])

/** What stays writable wherever files are not. */
export const isStream = (path: string) =>
  SINKS.has(path) || /^\/dev\/(?:stdin|stdout|stderr|tty|fd\/\d+)$/.test(path)

export const isDevice = (path: string) => path.startsWith('/dev/')

/**
 * bash opens connections by such paths. Here a redirection to one fails: it asks whether the file exists and what it is,
 * and fails alone where the second cannot be answered.
 */
export const isConnection = (path: string) => /^\/dev\/(?:tcp|udp)\//.test(path)

export const ZEROS = '/dev/zero'

/** Reading it has no end. */
export const isEndless = (path: string) => path === ZEROS || path === '/dev/urandom' || path === '/dev/random'
