import { arrayBuiltin } from './array-builtins.ts'
import { awaited, type Code, lift1, list } from './code.ts'
import type { Compiler } from './compiler.ts'
import { AwkError } from './error.ts'
import { type Machine, mulberry } from './machine.ts'
import type { Expression } from './nodes.ts'
import { sprintf } from './sprintf.ts'
import { substitution } from './substitute.ts'
import { mktime, strftime } from './time.ts'
import { toNumber, type Value } from './values.ts'

const int64 = (value: Value | undefined) => BigInt(Math.trunc(toNumber(value ?? 0)))

/** Functions of numbers. */
const NUMERIC: Readonly<Record<string, (...values: number[]) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  atan2: Math.atan2,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  int: Math.trunc,
}

/** Functions of values, carried out at once. */
const PLAIN: Readonly<Record<string, (machine: Machine, args: readonly Value[]) => Value>> = {
  substr: (machine, [text = '', from, length]) => substring(machine.text(text), toNumber(from ?? 1), length),
  index: (machine, [text = '', part = '']) => machine.text(text).indexOf(machine.text(part)) + 1,
  tolower: (machine, [text = '']) => machine.text(text).toLowerCase(),
  toupper: (machine, [text = '']) => machine.text(text).toUpperCase(),
  sprintf: (machine, [format = '', ...rest]) =>
    sprintf(machine.text(format), rest, machine.text(machine.special('CONVFMT')), machine.bounds.text),
  rand: (machine) => machine.random(),
  srand: (machine, [seed]) => {
    const before = machine.seed
    machine.seed = seed === undefined ? Math.floor(Date.now() / 1000) : toNumber(seed)
    machine.random = mulberry(machine.seed)
    return before
  },
  systime: () => Math.floor(Date.now() / 1000),
  mktime: (machine, [text = '']) => mktime(machine.text(text)),
  strftime: (machine, [format, at]) =>
    strftime(
      format === undefined ? '%a %b %e %H:%M:%S %Z %Y' : machine.text(format),
      at === undefined ? Date.now() / 1000 : toNumber(at),
    ),
  and: (_, args) => Number(args.reduce((all, value) => all & int64(value), -1n)),
  or: (_, args) => Number(args.reduce((all, value) => all | int64(value), 0n)),
  xor: (_, args) => Number(args.reduce((all, value) => all ^ int64(value), 0n)),
  lshift: (_, [value, by]) => Number(int64(value) << int64(by)),
  rshift: (_, [value, by]) => Number(int64(value) >> int64(by)),
  compl: (_, [value]) => Number(~int64(value) & (2n ** 53n - 1n)),
  strtonum: (machine, [value = 0]) => {
    const text = machine.text(value).trim()
    if (/^-?0[xX][0-9a-fA-F]+/.test(text)) return Number.parseInt(text, 16)
    return /^-?0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : toNumber(value)
  },
}

/** Functions that wait. */
const WAITING: Readonly<Record<string, (machine: Machine, name: string) => Promise<number>>> = {
  system: (machine, command) => machine.streams.system(command),
  close: (machine, name) => machine.streams.close(name),
  fflush: async (machine) => {
    await machine.streams.flush()
    return 0
  },
}

/** The call of a function that awk has. @throws {AwkError} */
export function builtinCode(name: string, args: readonly Expression[], compiler: Compiler): Code<Value> {
  const special = name === 'length' ? lengthCode(args, compiler) : arrayBuiltin(name, args, compiler)
  if (special !== undefined) return special
  if (name === 'sub' || name === 'gsub' || name === 'gensub') return substitution(name, args, compiler)
  const values = list(args.map((node) => compiler.code(node)))
  const numeric = NUMERIC[name]
  if (numeric !== undefined) return lift1(values, (_, numbers) => numeric(...numbers.map(toNumber)))
  const waits = WAITING[name]
  if (waits !== undefined)
    return awaited(values, ({ machine }, [first = '']) => waits(machine, machine.text(first)))
  const plain = PLAIN[name]
  if (plain === undefined) throw new AwkError(`${name} is not known here`)
  return lift1(values, ({ machine }, given) => plain(machine, given))
}

/** Characters, as awk counts them. */
const characters = (text: string) => (/[\ud800-\udfff]/.test(text) ? [...text].length : text.length)

function lengthCode([node]: readonly Expression[], compiler: Compiler): Code<Value> {
  if (node === undefined) return { run: ({ machine }) => characters(machine.record) }
  if (node.type !== 'name') return lift1(compiler.text(node), (_, text) => characters(text))
  const place = compiler.scope.place(node.name)
  return {
    run: (frame) => place.size(frame) ?? characters(frame.machine.text(place.get(frame))),
  }
}

function substring(text: string, from: number, length: Value | undefined): string {
  const all = /[\ud800-\udfff]/.test(text) ? [...text] : text
  const start = Math.round(from)
  const end = length === undefined ? Number.POSITIVE_INFINITY : start + Math.round(toNumber(length))
  if (Number.isNaN(start) || Number.isNaN(end) || end <= start) return ''
  const part = all.slice(Math.max(0, start - 1), Math.max(0, end - 1))
  return typeof part === 'string' ? part : part.join('')
}
