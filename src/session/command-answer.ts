import { types } from 'node:util'
import type { CommandAnswer } from '../contract/host-commands.ts'
import { isError } from '../sandbox/kinds.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'

/** A command that did not give a result of its own. */
export function failedAnswer(stderr: string, exitCode = 1): CommandAnswer {
  return { exitCode, stdout: new Uint8Array(), stderr: new TextEncoder().encode(stderr) }
}

/** What a function threw. */
export function thrownAnswer(name: string, error: unknown): CommandAnswer {
  return failedAnswer(`${name}: ${messageOf(error)}\n`)
}

/** What a function returned, as it crosses; a failure that says what is wrong where it is no result. */
export function answerOf(name: string, result: unknown, maxOutput: number): CommandAnswer {
  try {
    const { stdout, stderr, exitCode } = fieldsOf(result)
    return capped(name, { exitCode, stdout, stderr }, maxOutput)
  } catch (error) {
    return thrownAnswer(name, error)
  }
}

function messageOf(error: unknown): string {
  try {
    return isError(error) ? error.message || error.name : String(error)
  } catch {
    return 'failed' // What was thrown cannot be made text.
  }
}

function fieldsOf(result: unknown): CommandAnswer {
  if (result === undefined || typeof result === 'string' || types.isUint8Array(result)) {
    return { exitCode: 0, stdout: bytesOf(result, 'stdout'), stderr: new Uint8Array() }
  }
  if (typeof result !== 'object' || result === null) {
    throw new TypeError(
      `its function must return a string, a Uint8Array or { stdout, stderr, exitCode }, but returned ${kindOf(result)}`,
    )
  }
  const { stdout, stderr, exitCode = 0 }: Partial<Record<keyof CommandAnswer, unknown>> = result
  if (typeof exitCode !== 'number' || !Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255) {
    throw new TypeError(`its exitCode must be an integer from 0 to 255, but is ${showValue(exitCode)}`)
  }
  return { exitCode, stdout: bytesOf(stdout, 'stdout'), stderr: bytesOf(stderr, 'stderr') }
}

/** A copy: the caller's own bytes stay the caller's. */
function bytesOf(output: unknown, field: string): Uint8Array {
  if (output === undefined) return new Uint8Array()
  if (typeof output === 'string') return new TextEncoder().encode(output)
  if (types.isUint8Array(output)) return new Uint8Array(output)
  throw new TypeError(`its ${field} must be a string or a Uint8Array, but is ${kindOf(output)}`)
}

function capped(name: string, { exitCode, stdout, stderr }: CommandAnswer, most: number): CommandAnswer {
  if (stdout.byteLength + stderr.byteLength <= most) return { exitCode, stdout, stderr }
  const out = cut(stdout, most)
  const err = cut(stderr, most - out.byteLength)
  const note = `${name}: output is longer than ${most} bytes; the rest was left out\n`
  return { exitCode, stdout: out, stderr: Buffer.concat([err, Buffer.from(note)]) }
}

/** At most so many bytes, and no half character of UTF-8. */
function cut(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.byteLength <= most) return bytes
  let end = most
  while (end > most - 4 && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.slice(0, end)
}
