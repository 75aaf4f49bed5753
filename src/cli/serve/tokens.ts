import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../sandbox/error-code.ts'
import { isRecord } from '../../sandbox/is-record.ts'
import type { TokenGrant } from '../../service/options.ts'
import { usageError } from '../failure.ts'
import { parseJson } from '../json-text.ts'

/** The tokens of a service, and whether one was made for it. */
export interface Tokens {
  readonly tokens: readonly TokenGrant[]
  /** Whether it is the service's own. */
  readonly isOwn: boolean
}

/** Where the token is that a service makes for itself. */
export function ownToken(data: string): string {
  return join(data, 'token')
}

/** The tokens of a service: the one that is given, those of a file, or else one of its own, which is made once. */
export async function tokensOf({
  token,
  file,
  data,
}: {
  readonly token: string | undefined
  readonly file: string | undefined
  readonly data: string
}): Promise<Tokens> {
  if (file !== undefined) return { tokens: await tokensIn(file), isOwn: false }
  if (token !== undefined) return { tokens: [{ token, name: 'operator' }], isOwn: false }
  return { tokens: [{ token: await takeOwn(data), name: 'operator' }], isOwn: true }
}

async function takeOwn(data: string): Promise<string> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  const path = ownToken(data)
  try {
    await writeFile(path, `${randomBytes(24).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return (await readFile(path, 'utf8')).trim()
}

/** @throws CliError naming the file and what is wrong with it, and nothing of what it holds */
async function tokensIn(file: string): Promise<readonly TokenGrant[]> {
  const refuse = (problem: string) => usageError(`--tokens ${JSON.stringify(file)}: ${problem}.`)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refuse(`it cannot be read (${errorCode(error) ?? 'no text'})`)
  })
  const { value, fault } = parseJson(text)
  if (fault !== undefined) throw refuse(fault)
  const list = isRecord(value) ? value['tokens'] : undefined
  if (!Array.isArray(list)) throw refuse('it must hold { "tokens": [{ "name": …, "token": … }] }')
  // The service itself checks each.
  return list
}
