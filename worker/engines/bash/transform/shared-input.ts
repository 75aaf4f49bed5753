import type { ScriptNode, SimpleCommandNode } from '../just-bash.ts'
import { plainText } from './nodes.ts'
import { innerOf, isNode } from './walk.ts'

/** What the commands of one loop, group or function read, one after the other. */
export interface Input {
  /** A program that has read too much of a file goes back in it. */
  readonly seekable: boolean
  /** Bytes that programs have taken of it. */
  taken: number
  /** The program that has left off before its end, nobody knows where. */
  leftBy: Reading | undefined
}

/** A program that is about to read of such an input. */
export interface Reading {
  readonly name: string
  readonly input: Input
  /** Whether it has begun: the next one of that name is another. */
  begun: boolean
  /** Bytes that it has taken. */
  taken: number
}

/** What is known of the program that runs next, and of the command that has run. */
export interface InputTaken {
  next: Reading | undefined
  status: number
  /** Those of a pipeline. */
  statuses: readonly string[]
  /** Bytes that were left when a command asked. */
  left: number | undefined
}

/** Builtins that take of an input. */
const BUILTINS: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray'])

/** Programs that read what is left of their input, most of them to its end. */
export const INPUT_READERS: ReadonlySet<string> = new Set(
  (
    'awk b2sum base64 bc cat cksum cmp column comm csplit cut dd diff egrep expand fgrep fmt fold gawk grep gunzip gzip head hexdump ' +
    'join jq md5sum nl numfmt od paste rev sed sha1sum sha256sum sha512sum shuf sort split strings tac tail tee tr unexpand uniq ' +
    'wc xargs xxd zcat'
  ).split(' '),
)

const inputThat = (seekable: boolean): Input => ({ seekable, taken: 0, leftBy: undefined })

/** Commands that read of a shared input. */
export const readers = new WeakMap<object, Input>()
/** Pipelines whose first command does. */
export const pipelines = new WeakMap<object, Input>()
/** `( … )` and `$( … )` in which some do. */
export const subshells = new WeakMap<object, Input>()

/**
 * `{ head -n 1; sort; } < f` and `while read l; do cat; done < f`: just-bash gives each program the whole of the input, and only
 * `read` takes of it. Notes which commands share an input.
 */
export function noteInputs(script: ScriptNode): void {
  note(script, undefined)
}

/** @returns whether a program in it reads of the input around it */
function note(value: object, around: Input | undefined): boolean {
  if (!isNode(value)) return inside(value, around)
  switch (value.type) {
    case 'Statement':
      return inside(value, value.background ? undefined : around)
    case 'FunctionDef':
      inside(value, inputThat(true))
      return false
    case 'CommandSubstitution': {
      const reads = inside(value, around)
      if (around !== undefined && reads) subshells.set(value, around)
      return reads
    }
    case 'ProcessSubstitution':
      inside(value, undefined)
      return false
    case 'Pipeline': {
      const [first, ...others] = value.commands
      for (const other of others) note(other, other.type === 'SimpleCommand' ? undefined : inputThat(false))
      if (first === undefined) return false
      const reads = note(first, around)
      const input = readers.get(first)
      if (others.length > 0 && input !== undefined) {
        readers.delete(first)
        pipelines.set(value, input)
      }
      return reads
    }
    case 'SimpleCommand': {
      const reads = inside(value, around)
      const name = plainText(value.name)
      if (around === undefined || value.name === null || name === 'exec') return reads
      if (inputOf(value.redirections) !== undefined || name === undefined) return reads
      if (!INPUT_READERS.has(name)) return reads || BUILTINS.has(name)
      readers.set(value, around)
      return true
    }
    case 'Group':
    case 'Subshell':
    case 'While':
    case 'Until':
    case 'For':
    case 'CStyleFor':
    case 'If':
    case 'Case': {
      const own = inputOf(value.redirections)
      const reads = inside(value, own ?? around)
      if (own !== undefined || around === undefined || !reads) return false
      if (value.type === 'Subshell') subshells.set(value, around)
      return true
    }
    default:
      return inside(value, around)
  }
}

function inside(value: object, around: Input | undefined): boolean {
  let reads = false
  for (const inner of innerOf(value)) if (note(inner, around)) reads = true
  return reads
}

type Redirection = SimpleCommandNode['redirections'][number]

const INPUTS: ReadonlySet<string> = new Set(['<', '<<', '<<-', '<<<', '<&', '<>'])

const isInput = ({ operator, fd }: Redirection) => INPUTS.has(operator) && (fd ?? 0) === 0

/** A here-document comes through a pipe, as what a process prints does. */
function inputOf(redirections: readonly Redirection[]): Input | undefined {
  const last = redirections.findLast(isInput)
  if (last === undefined) return undefined
  const seekable =
    last.operator.length < 3 && last.operator !== '<<' && !/"ProcessSub/.test(JSON.stringify(last.target))
  return inputThat(seekable)
}
