import { failed, type OwnCommand, readInput, reason } from './command.ts'

/** `cksum [file…]`: POSIX's CRC and the number of bytes. */
export const cksum: OwnCommand = {
  name: 'cksum',
  async run(args, context) {
    const option = args.find((arg) => /^-./.test(arg))
    if (option !== undefined) return failed('cksum', `option '${option}' is not known here`)
    let [stdout, stderr] = ['', '']
    for (const path of args.length === 0 ? [undefined] : args) {
      try {
        const content = Buffer.from(await readInput(path, context), 'latin1')
        stdout += `${crc(content)} ${content.length}${path === undefined ? '' : ` ${path}`}\n`
      } catch (error) {
        stderr += `cksum: ${path}: ${reason(error)}\n`
      }
    }
    return { stdout, stderr, exitCode: stderr === '' ? 0 : 1, stdoutKind: 'text' }
  },
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
