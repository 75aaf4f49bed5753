/** What Node and the engine need to find their libraries and the machine's certificates, where the user has set it. */
const needed = ['SystemRoot', 'LD_LIBRARY_PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'RUST_MIN_STACK']

/** Where the engine reads which proxies to use. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']

/** The environment of a cell: what it needs of this process's, and nothing else. */
export function cellEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return pick(env, needed)
}

/** The proxies that the user has set for this process. */
export function userProxies(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return pick(
    env,
    proxies.flatMap((name) => [name, name.toLowerCase()]),
  )
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]))
}
