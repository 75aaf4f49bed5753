import { type ByteItem, ByteSetError, bytesOf, complement, readByteSet } from '../text/byte-set.ts'
import { encode } from '../text/bytes.ts'
import { bytes, failed, type OwnCommand, readInput } from './command.ts'

const LONG: Readonly<Record<string, string>> = {
  '--complement': 'c',
  '--delete': 'd',
  '--squeeze-repeats': 's',
  '--truncate-set1': 't',
}

interface TrRequest {
  readonly letters: ReadonlySet<string>
  readonly operands: readonly string[]
}

/** Options stand before the lists: `tr - _` and `tr a -x` have none. */
function readWords(args: readonly string[]): TrRequest {
  const letters = new Set<string>()
  let at = 0
  for (; /^-./s.test(args[at] ?? ''); at += 1) {
    const word = args[at] ?? ''
    if (word === '--') {
      at += 1
      break
    }
    const given = word.startsWith('--') ? LONG[word] : word.slice(1)
    if (given === undefined) throw new ByteSetError(`unrecognized option '${word}'`)
    for (const letter of given) {
      if (!'cCdst'.includes(letter)) throw new ByteSetError(`invalid option -- '${letter}'`)
      letters.add(letter.toLowerCase())
    }
  }
  return { letters, operands: args.slice(at) }
}

/** What becomes of each byte: another one, or -1 where it is deleted. And the bytes of which one stands for several. */
interface Table {
  readonly becomes: Int16Array
  readonly squeezed: ReadonlySet<number>
}

function tableOf({ letters, operands }: TrRequest): Table {
  const [deletes, squeezes] = [letters.has('d'), letters.has('s')]
  const [first, second, extra] = operands
  if (first === undefined) throw new ByteSetError('missing operand')
  const most = deletes && !squeezes ? 1 : 2
  const least = deletes === squeezes ? 2 : 1
  if (operands.length < least) throw new ByteSetError(`missing operand after '${first}'`)
  if (operands.length > most) throw new ByteSetError(`extra operand '${most === 1 ? second : extra}'`)
  const from = readByteSet(encode(first))
  if (from.some(({ fills }) => fills))
    throw new ByteSetError('the [c*] repeat construct may not appear in string1')
  const to = second === undefined ? [] : readByteSet(encode(second))
  const chosen = letters.has('c') ? complement(bytesOf(from)) : bytesOf(from)
  const becomes = Int16Array.from({ length: 256 }, (_, byte) => byte)
  if (deletes) for (const byte of chosen) becomes[byte] = -1
  else if (second !== undefined) {
    const target = targets(letters.has('c') ? [{ bytes: chosen }] : from, to, letters)
    for (const [at, byte] of chosen.entries()) becomes[byte] = target[at] ?? byte
  }
  return { becomes, squeezed: new Set(squeezes ? (second === undefined ? chosen : bytesOf(to)) : []) }
}

/** What each byte of the first list becomes. */
function targets(
  from: readonly ByteItem[],
  to: readonly ByteItem[],
  letters: ReadonlySet<string>,
): readonly number[] {
  const length = bytesOf(from).length
  const begins = new Set<number>()
  let before = 0
  for (const item of from) {
    if (item.named === 'lower' || item.named === 'upper') begins.add(before)
    before += item.bytes.length
  }
  const wanted: number[] = []
  const fixed = to.reduce((sum, item) => sum + (item.fills ? 0 : item.bytes.length), 0)
  for (const item of to) {
    if (item.named !== undefined && item.named !== 'lower' && item.named !== 'upper')
      throw new ByteSetError(
        "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
      )
    if (item.named !== undefined && !begins.has(wanted.length))
      throw new ByteSetError('misaligned [:upper:] and/or [:lower:] construct')
    const [byte = 0] = item.bytes
    if (item.fills) wanted.push(...Array.from({ length: Math.max(0, length - fixed) }, () => byte))
    else wanted.push(...item.bytes)
  }
  const last = wanted.at(-1)
  if (last === undefined) {
    if (length === 0 || letters.has('t')) return []
    throw new ByteSetError('when not truncating set1, string2 must be non-empty')
  }
  while (wanted.length < length && !letters.has('t')) wanted.push(last)
  return wanted
}

/** `tr [-cdst] LIST [LIST]`, of bytes, as GNU's is. */
export const tr: OwnCommand = {
  name: 'tr',
  async run(args, context) {
    try {
      const { becomes, squeezed } = tableOf(readWords(args))
      const input = Buffer.from(await readInput(undefined, context), 'latin1')
      let length = 0
      let last = -1
      for (const byte of input) {
        const next = becomes[byte] ?? byte
        if (next < 0 || (next === last && squeezed.has(next))) continue
        input[length] = next
        length += 1
        last = next
      }
      return bytes(input.toString('latin1', 0, length))
    } catch (error) {
      if (error instanceof ByteSetError) return failed('tr', error.message)
      throw error
    }
  },
}
