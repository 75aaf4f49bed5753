import { createHash } from 'node:crypto'
import type { CommandContext } from '../just-bash.ts'
import { done, failed, type OwnCommand, readInput, reason } from './command.ts'

/** The program that prints digests by `algorithm`. Checking (`-c`) is refused. */
function digests(name: string, algorithm: string): OwnCommand {
  return {
    name,
    run: (args, context) =>
      forEachInput(name, args, context, (bytes, path) => {
        const digest = createHash(algorithm).update(bytes).digest('hex')
        return `${digest}  ${path ?? '-'}\n`
      }),
  }
}

export const sha224sum = digests('sha224sum', 'sha224')
export const sha384sum = digests('sha384sum', 'sha384')
export const sha512sum = digests('sha512sum', 'sha512')
export const b2sum = digests('b2sum', 'blake2b512')

/** `cksum [file…]`: POSIX's CRC and the number of bytes. */
export const cksum: OwnCommand = {
  name: 'cksum',
  run: (args, context) =>
    forEachInput(
      'cksum',
      args,
      context,
      (bytes, path) => `${crc(bytes)} ${bytes.length}${path === undefined ? '' : ` ${path}`}\n`,
    ),
}

async function forEachInput(
  name: string,
  args: readonly string[],
  context: CommandContext,
  line: (bytes: Buffer, path: string | undefined) => string,
) {
  const option = args.find((arg) => /^-./.test(arg) && arg !== '-b' && arg !== '-t')
  if (option !== undefined) return failed(name, `option '${option}' is not supported`)
  const paths = args.filter((arg) => arg === '-' || !arg.startsWith('-'))
  let [stdout, stderr] = ['', '']
  for (const path of paths.length === 0 ? [undefined] : paths) {
    try {
      stdout += line(Buffer.from(await readInput(path, context), 'latin1'), path)
    } catch (error) {
      stderr += `${name}: ${path}: ${reason(error)}\n`
    }
  }
  return { ...done(stdout), stderr, exitCode: stderr === '' ? 0 : 1 }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value
})

/** The CRC of POSIX: over the bytes, then over their number, lowest byte first. */
function crc(bytes: Uint8Array): number {
  let value = 0
  const add = (byte: number) => {
    value = (value << 8) ^ (TABLE[((value >>> 24) ^ byte) & 0xff] ?? 0)
  }
  for (const byte of bytes) add(byte)
  for (let left = bytes.length; left > 0; left = Math.floor(left / 256)) add(left % 256)
  return ~value >>> 0
}
