import { parseUrl } from '../../allowlist/parse-url.ts'
import { temporaryNames } from '../temporary-names.ts'

/** What Node and the engine need to find their libraries, the machine's certificates and the place of temporary files. */
const needed = [
  ...temporaryNames,
  'SystemRoot',
  'LD_LIBRARY_PATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'RUST_MIN_STACK',
  'TOKIO_WORKER_THREADS',
]

/** Where the engine reads which proxies to use. */
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
])

/** The environment of a cell: what it needs of this process's, and nothing else. */
export function cellEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return pick(env, needed)
}

/** The proxies that the user has set for this process. */
export function userProxies(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return pick(env, proxyNames)
}

/** What the output of a cell must not show of its environment: the passwords of proxies, as given and as they are sent. */
export function proxySecrets(env: NodeJS.ProcessEnv): ReadonlySet<string> {
  const secrets = new Set<string>()
  for (const name of proxyNames) {
    const value = env[name] ?? ''
    const { username = '', password = '' } = parseUrl(value) ?? {}
    if (password === '') continue
    const sent = [username, password].map(decoded)
    for (const secret of [password, sent[1] ?? '', Buffer.from(sent.join(':')).toString('base64')])
      secrets.add(secret)
  }
  return secrets
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A `%` that is not an escape is an ordinary character.
  }
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]))
}
