import { createHash, hash, timingSafeEqual } from 'node:crypto'
import { isPlain } from '../contract/plain.ts'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'

/** A token that lets a client in: its digest alone is kept. */
export interface KnownToken {
  /** The client's; undefined where there is one token for all. */
  readonly client: string | undefined
  /** What sessions of it are stored under. */
  readonly owner: string
  readonly digest: Buffer
}

const shortestToken = 16

/**
 * The tokens that an option names; none for undefined.
 *
 * @throws {SandboxConfigError} which tells their numbers, and neither tokens nor names: somebody may have swapped them
 */
export function resolveTokens(token: unknown): KnownToken[] {
  if (token === undefined) return []
  if (typeof token === 'string') return [knownToken(undefined, requireToken(token, ''))]
  if (!Array.isArray(token) && !(typeof token === 'object' && token !== null && isPlain(token))) {
    throw refuse('token', `must be a string, a list or an object of strings, but is ${kindOf(token)}.`)
  }
  const entries: [string, unknown][] = Object.entries(token)
  if (entries.length === 0) throw refuse('token', 'must have a token, but is empty.')
  const tokens = entries.map(([client, one], index) => {
    const which = `number ${index + 1} `
    if (isClientName(client)) return knownToken(client, requireToken(one, which), !Array.isArray(token))
    throw refuse(
      'token',
      `must have names of 1 to 128 visible characters without "#", but ${which}is no such name.`,
    )
  })
  for (const [index, { digest }] of tokens.entries()) {
    const same = tokens.findIndex((other) => other.digest.equals(digest))
    if (same === index) continue
    throw refuse(
      'token',
      `must be another one for each client, but numbers ${same + 1} and ${index + 1} are equal.`,
    )
  }
  return tokens
}

/**
 * The one that a client gave, if it is one of them. Takes as long for one that is nearly right as for one that is not.
 */
export function findToken(tokens: readonly KnownToken[], given: string): KnownToken | undefined {
  const digest = digestOf(given)
  const equal = tokens.map((known) => timingSafeEqual(known.digest, digest))
  return tokens[equal.indexOf(true)]
}

/** The token of an `Authorization` header; empty where it has none. */
export function bearerOf(authorization: string | undefined): string {
  return /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

/** Whether a client can be called so: `#` counts its sandboxes, and what is not visible confuses who reads a log. */
export function isClientName(name: unknown): name is string {
  return typeof name === 'string' && /^[^\p{C}\p{Zl}\p{Zp}#]{1,128}$/u.test(name)
}

/** What the sessions of a client are stored under that has a name. */
export function ownerOfName(name: string): string {
  // A longer one could be too long for a store.
  if (Buffer.byteLength(name) <= 48) return `client:${name}`
  return `client-digest:${createHash('sha256').update(name).digest('hex')}`
}

/** The number of a token in a list is another one's after a change of the list: what is stored belongs to the token itself. */
function knownToken(client: string | undefined, token: string, isNamed = false): KnownToken {
  const digest = digestOf(token)
  const own = createHash('sha256').update('session of ').update(digest).digest('hex')
  return { client, digest, owner: isNamed && client !== undefined ? ownerOfName(client) : `token:${own}` }
}

function requireToken(token: unknown, which: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && token.length >= shortestToken) return token
  throw refuse(
    'token',
    `must be at least ${shortestToken} visible ASCII characters without spaces, but ${which}is ${kindOf(token)}.`,
  )
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
