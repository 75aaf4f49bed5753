import type { CommandNode, PipelineNode, ScriptNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { SET_STATUSES } from './cut-pipes.ts'
import { heldName } from './hoist.ts'
import { innerPath } from './inner-command.ts'
import {
  generatedGroup,
  group,
  literal,
  pipeline,
  plainText,
  quotedParameter,
  simple,
  single,
  statement,
} from './nodes.ts'
import { isNode } from './walk.ts'

/** `__left`: tells how much of the input is left. */
export const LEFT = '__left'
/** `__took status` keeps a status, and `__took` has it. */
export const TOOK = '__took'

/** What the commands of one loop, group or function read, one after the other. */
interface Input {
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

const readers = new WeakMap<object, Input>()
const pipelines = new WeakMap<object, Input>()
const subshells = new WeakMap<object, Input>()
const redirected = new WeakSet<object>()

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
      // A group would not let bytes through that are no text.
      if (others.length > 0) redirected.delete(first)
      return reads
    }
    case 'SimpleCommand': {
      const reads = inside(value, around)
      const name = plainText(value.name)
      if (around === undefined || value.name === null || name === 'exec') return reads
      const own = inputOf(value.redirections) !== undefined
      if (own) redirected.add(value)
      if (own || name === undefined) return reads
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
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null && note(inner, around)) reads = true
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

/** The command that has been made of one that reads a shared input, and takes what that has read. */
export function takingInput(written: SimpleCommandNode, made: CommandNode, taken: InputTaken): CommandNode {
  const reader = readerOf(made)
  if (reader === undefined) return made
  if (redirected.has(written)) return withOwnInput(made, reader)
  const input = readers.get(written)
  if (input === undefined) return made
  const reading = expecting(reader, { name: plainText(written.name) ?? '', input, taken: 0 }, taken)
  const run = made === reader ? statement([pipeline(made), pipeline(keepStatus())], ['||']) : single(made)
  return generatedGroup(
    function* () {
      reading.taken = 0
      taken.status = 0
      yield run
      taken.next = undefined
      input.taken += reading.taken
      if (made !== reader && reading.taken > 0) yield single(keepStatus())
      if (reading.taken > 0) yield drop(reading.taken)
      if (reading.taken > 0 || taken.status !== 0) yield single(simple(innerPath(TOOK)))
    },
    [single(made)],
  )
}

/** Has a program that runs known as one that reads a shared input. */
function expecting(reader: SimpleCommandNode, reading: Reading, taken: InputTaken): Reading {
  const { redirections } = reader
  // They are read last before the program runs.
  Object.defineProperty(reader, 'redirections', {
    enumerable: true,
    get() {
      taken.next = reading
      return redirections
    },
  })
  return reading
}

/** The same of `cat | …`. A group around `cat` alone would not let bytes through that are no text. */
export function pipelineTaking(written: PipelineNode, made: PipelineNode, taken: InputTaken): PipelineNode {
  const input = pipelines.get(written)
  const [first] = written.commands
  const reader = input === undefined || first === undefined ? undefined : readerOf(first)
  if (input === undefined || reader === undefined) return made
  const reading = expecting(reader, { name: plainText(reader.name) ?? '', input, taken: 0 }, taken)
  const whole = statement([{ ...made, negated: false }])
  const body = generatedGroup(
    function* () {
      reading.taken = 0
      yield whole
      taken.next = undefined
      input.taken += reading.taken
      if (reading.taken === 0) return
      yield single(
        simple(innerPath(TOOK), ...written.commands.map((_, at) => quotedParameter(`PIPESTATUS[${at}]`))),
      )
      const { statuses } = taken
      yield drop(reading.taken)
      yield single(simple(SET_STATUSES, ...statuses.map((one) => literal(one))))
    },
    [whole],
  )
  return { ...pipeline(body), negated: made.negated }
}

/** `cat < empty` in a loop: where its own input is empty, just-bash gives a command that of the loop, but not in a group. */
function withOwnInput(made: CommandNode, command: SimpleCommandNode): CommandNode {
  const inputs = command.redirections.filter(isInput)
  command.redirections = command.redirections.filter((one) => !isInput(one))
  return group([single(made)], inputs)
}

/** `( … )`, or `$( … )` that runs in one, has taken of the input of the shell that it is in. */
export function subshellTaking(written: object, made: CommandNode, taken: InputTaken): CommandNode {
  const input = subshells.get(written)
  if (input === undefined) return made
  const left = single(simple(innerPath(LEFT)))
  if (made.type === 'Subshell')
    made.body = [...made.body, single(keepStatus()), left, single(simple(innerPath(TOOK)))]
  return generatedGroup(
    function* () {
      yield left
      const [before, atFirst = 0] = [input.taken, taken.left]
      taken.left = undefined
      yield single(made)
      // Where it has ended early, what builtins have taken is not known.
      const size = taken.left === undefined ? input.taken - before : atFirst - taken.left
      if (size <= 0) return
      yield single(keepStatus())
      yield drop(size)
      yield single(simple(innerPath(TOOK)))
    },
    [single(made)],
  )
}

const keepStatus = () => simple(innerPath(TOOK), quotedParameter('?'))

/** `read`, which just-bash lets take of the input. */
function drop(size: number): StatementNode {
  const read = simple('read', literal('-r'), literal('-N'), literal(String(size)), literal(heldName()))
  return statement([pipeline(read), pipeline(simple(':'))], ['||'])
}

/** The program itself, behind what had to come before it. */
function readerOf(command: CommandNode): SimpleCommandNode | undefined {
  if (command.type === 'SimpleCommand') return command
  if (command.type !== 'Group' || !Array.isArray(command.body)) return undefined
  const last = command.body.at(-1)?.pipelines.at(-1)?.commands.at(-1)
  return last?.type === 'SimpleCommand' ? last : undefined
}
