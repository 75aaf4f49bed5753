import { SandboxConfigError } from '../sandbox/errors.ts'
import type { Secret } from './secret.ts'

/** A credential as a config holds it: the token hidden, or the variable that will hold it. */
export type ResolvedCredential =
  | { readonly url: string; readonly token: Secret }
  | { readonly url: string; readonly envVar: string }

/** A credential as it crosses to the worker. */
export interface OpenCredential {
  readonly url: string
  readonly token: string
}

/** Printable ASCII without a space at either end: what a request header can carry. */
const headerText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Whether a text can be sent as a bearer token. */
export function isToken(text: string): boolean {
  return headerText.test(text)
}

/** What a token must be, in words. */
export const TOKEN_RULE = {
  expected: 'a token of printable ASCII characters',
  remedy: 'Trim it: a line break at its end is a common slip.',
  secret: true,
} as const

/**
 * Reveals tokens and reads those that the environment holds; done at each open, so that a rotated
 * token is taken up by the next session.
 *
 * @throws SandboxConfigError naming the credential and its variable when the variable is unset, empty
 *   or no token. A value is never part of the message.
 */
export function resolveCredentials(
  credentials: readonly ResolvedCredential[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): OpenCredential[] {
  return credentials.map((credential, index) => {
    const { url } = credential
    if ('token' in credential) return { url, token: credential.token.reveal() }
    const { envVar } = credential
    const token = Object.hasOwn(env, envVar) ? env[envVar] : undefined
    if (token === undefined || token === '') {
      throw refused(
        index,
        `names ${shown(envVar)}, which is ${token === '' ? 'empty' : 'not set'}. Set it before the sandbox is opened.`,
      )
    }
    if (!isToken(token)) {
      throw refused(
        index,
        `names ${shown(envVar)}, which must hold ${TOKEN_RULE.expected}. ${TOKEN_RULE.remedy}`,
      )
    }
    return { url, token }
  })
}

/** A name in capital letters; any other may be a token that came in its place. */
function shown(envVar: string): string {
  return /^[A-Z_][A-Z0-9_]{0,39}$/.test(envVar) ? `the variable ${envVar}` : 'a variable'
}

function refused(index: number, problem: string): SandboxConfigError {
  const field = `credentials[${index}].envVar`
  return new SandboxConfigError(`${field} ${problem}`, { field })
}
