import { type Code, lift1, lift2, list } from './code.ts'
import type { Compiler } from './compiler.ts'
import { AwkError } from './error.ts'
import type { Machine } from './machine.ts'
import type { Expression } from './nodes.ts'
import { type AwkArray, compare, input, type Value } from './values.ts'

/** The functions that fill or order arrays, or undefined. @throws {AwkError} */
export function arrayBuiltin(
  name: string,
  args: readonly Expression[],
  compiler: Compiler,
): Code<Value> | undefined {
  if (name === 'split') return split(args, compiler)
  if (name === 'match') return match(args, compiler)
  return name === 'asort' || name === 'asorti' ? sort(name, args, compiler) : undefined
}

function placeOf(node: Expression | undefined, compiler: Compiler, what: string) {
  if (node?.type !== 'name') throw new AwkError(`${what}: an array is expected`)
  return compiler.scope.place(node.name)
}

function fill(machine: Machine, array: AwkArray, parts: readonly Value[]): number {
  array.clear()
  for (const [at, part] of parts.entries()) machine.put(array, String(at + 1), part)
  return parts.length
}

function split([node, target, separator, ends]: readonly Expression[], compiler: Compiler): Code<Value> {
  if (node === undefined) throw new AwkError('split: a text is expected')
  if (ends !== undefined) throw new AwkError('split with four arguments is not known here')
  const place = placeOf(target, compiler, 'split')
  const source: Code<string> =
    separator === undefined
      ? { run: ({ machine }) => machine.text(machine.special('FS')) }
      : compiler.pattern(separator)
  const isRegex = separator?.type === 'regex'
  return lift2(compiler.text(node), source, (frame, text, by) => {
    // A regular expression of one blank is no default separator.
    const parts = frame.machine.split(text, isRegex && by === ' ' ? '[ ]' : by)
    return fill(frame.machine, place.array(frame), parts.map(input))
  })
}

function match([node, pattern, target]: readonly Expression[], compiler: Compiler): Code<Value> {
  if (node === undefined || pattern === undefined)
    throw new AwkError('match: a text and an expression are expected')
  const place = target === undefined ? undefined : placeOf(target, compiler, 'match')
  return lift2(compiler.text(node), compiler.pattern(pattern), (frame, text, source) => {
    const { machine } = frame
    const regex = machine.regex(source)
    regex.lastIndex = 0
    const found = regex.exec(text)
    machine.setSpecial('RSTART', found === null ? 0 : found.index + 1)
    machine.setSpecial('RLENGTH', found === null ? -1 : found[0].length)
    const array = place?.array(frame)
    array?.clear()
    if (array !== undefined && found !== null)
      for (const [at, part] of found.entries()) if (part !== undefined) array.set(String(at), input(part))
    return found === null ? 0 : found.index + 1
  })
}

function sort(name: string, [node, target, how]: readonly Expression[], compiler: Compiler): Code<Value> {
  const from = placeOf(node, compiler, name)
  const to = target === undefined ? from : placeOf(target, compiler, name)
  if (how !== undefined) throw new AwkError(`${name} with three arguments is not known here`)
  return lift1(list<Value>([]), (frame) => {
    const array = from.array(frame)
    const values: Value[] = name === 'asorti' ? [...array.keys()] : [...array.values()]
    values.sort((a, b) => order(a, b))
    return fill(frame.machine, to.array(frame), values)
  })
}

/** Numbers before texts. */
function order(a: Value, b: Value): number {
  if ((typeof a === 'string') !== (typeof b === 'string')) return typeof a === 'string' ? 1 : -1
  return compare(a, b, '%.6g')
}

/** The keys of an array in the order of `for (k in a)`: as they came, or as PROCINFO["sorted_in"] says. */
export function keysInOrder(machine: Machine, array: AwkArray): string[] {
  const keys = [...array.keys()]
  const asked = machine.specialArray('PROCINFO').get('sorted_in')
  if (asked === undefined) return keys
  const by = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(machine.text(asked))
  if (by === null) throw new AwkError(`sorted_in: ${machine.text(asked)} is not known here`)
  const [, what, kind, direction] = by
  const subject = (key: string): Value =>
    what === 'ind' ? (kind === 'str' ? key : input(key)) : (array.get(key) ?? '')
  const text = (value: Value): Value => (kind === 'str' ? machine.text(value) : value)
  keys.sort((a, b) => order(text(subject(a)), text(subject(b))) || (a < b ? -1 : 1))
  return direction === 'desc' ? keys.reverse() : keys
}
