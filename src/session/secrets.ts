import type { ResolvedCredential } from '../config/credentials.ts'
import { Base64Forms } from './base64-forms.ts'
import { masked, maskedUrl } from './masked.ts'

/** Secrets of calls that have ended, and of sessions, that are remembered, at most: the last ones. */
const mostRemembered = 1000

const none: readonly string[] = []

/** The secrets of one sandbox, which no event tells: tokens of its credentials, and values of `secretEnv` of its calls. */
export class Secrets {
  readonly #credentials: readonly ResolvedCredential[]
  /** Those of calls that have not ended. */
  readonly #pending = new Set<readonly string[]>()
  readonly #remembered = new Set<string>()
  readonly #forms = new Base64Forms()
  /** The tokens that the last session began with. */
  #tokens = none

  constructor(credentials: readonly ResolvedCredential[]) {
    this.#credentials = credentials
  }

  /** A session begins with tokens. */
  opens(tokens: readonly string[]): void {
    this.#remember(this.#tokens)
    this.#tokens = tokens
  }

  /** A call with secrets was made. */
  begins(secrets: readonly string[]): void {
    this.#pending.add(secrets)
  }

  /** It has ended. */
  ends(secrets: readonly string[]): void {
    if (this.#pending.delete(secrets)) this.#remember(secrets)
  }

  /** The first characters of a text, without secrets. */
  hide(text: string, characters: number): string {
    const secrets = this.#all()
    if (secrets.length === 0) return text.slice(0, characters)
    const longest = secrets.reduce((length, secret) => Math.max(length, secret.length), 0)
    // A secret may lie across the cut, in base64 with four characters for each of its own.
    return masked(text.slice(0, characters + 4 * (longest + 1)), secrets, this.#forms).slice(0, characters)
  }

  /** What is told of a request, without secrets: also where an address has them percent-encoded. */
  hideInRequest(text: string): string {
    return maskedUrl(text, this.#all(), this.#forms)
  }

  #all(): readonly string[] {
    if (this.#hasNone) return none
    const tokens = this.#credentials.map(tokenOf)
    return [...tokens, ...this.#tokens, ...[...this.#pending].flat(), ...this.#remembered]
  }

  get #hasNone(): boolean {
    return (
      this.#credentials.length === 0 &&
      this.#tokens.length === 0 &&
      this.#pending.size === 0 &&
      this.#remembered.size === 0
    )
  }

  #remember(secrets: readonly string[]): void {
    for (const secret of secrets) {
      this.#remembered.delete(secret)
      this.#remembered.add(secret)
      const [oldest] = this.#remembered
      if (this.#remembered.size > mostRemembered && oldest !== undefined) this.#remembered.delete(oldest)
    }
  }
}

function tokenOf(credential: ResolvedCredential): string {
  return 'token' in credential ? credential.token.reveal() : (process.env[credential.envVar] ?? '')
}
