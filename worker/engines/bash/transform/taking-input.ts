import type { CommandNode, PipelineNode, SimpleCommandNode, StatementNode } from '../just-bash.ts'
import { SET_STATUSES } from './cut-pipes.ts'
import { heldName } from './hoist.ts'
import { innerPath } from './inner-command.ts'
import {
  generatedGroup,
  literal,
  pipeline,
  plainText,
  quotedParameter,
  simple,
  single,
  statement,
} from './nodes.ts'
import { type Input, type InputTaken, pipelines, type Reading, readers, subshells } from './shared-input.ts'

/** `__left`: tells how much of the input is left. */
export const LEFT = '__left'
/** `__took status` keeps a status, and `__took` has it. */
export const TOOK = '__took'

/** The command that has been made of one that reads a shared input, and takes what that has read. */
export function takingInput(written: SimpleCommandNode, made: CommandNode, taken: InputTaken): CommandNode {
  const reader = readerOf(made)
  if (reader === undefined) return made
  const input = readers.get(written)
  if (input === undefined) return made
  const reading = expecting(reader, plainText(written.name), input, taken)
  const run = made === reader ? statement([pipeline(made), pipeline(keepStatus())], ['||']) : single(made)
  return generatedGroup(
    function* () {
      reading.taken = 0
      reading.begun = false
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
function expecting(
  reader: SimpleCommandNode,
  name: string | undefined,
  input: Input,
  taken: InputTaken,
): Reading {
  const reading: Reading = { name: name ?? '', input, begun: false, taken: 0 }
  const { redirections } = reader
  // They are read last before the program runs.
  Object.defineProperty(reader, 'redirections', {
    enumerable: true,
    get() {
      if (!reading.begun) taken.next = reading
      return redirections
    },
  })
  return reading
}

/** The same of `cat | …`. */
export function pipelineTaking(written: PipelineNode, made: PipelineNode, taken: InputTaken): PipelineNode {
  const input = pipelines.get(written)
  const [first] = written.commands
  const reader = input === undefined || first === undefined ? undefined : readerOf(first)
  if (input === undefined || reader === undefined) return made
  const reading = expecting(reader, plainText(reader.name), input, taken)
  const whole = statement([{ ...made, negated: false }])
  const body = generatedGroup(
    function* () {
      reading.taken = 0
      reading.begun = false
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
  const read = simple('read', literal('-rB'), literal('-N'), literal(String(size)), literal(heldName()))
  return statement([pipeline(read), pipeline(simple(':'))], ['||'])
}

/** The program itself, behind what had to come before it. */
function readerOf(command: CommandNode): SimpleCommandNode | undefined {
  if (command.type === 'SimpleCommand') return command
  if (command.type !== 'Group' || !Array.isArray(command.body)) return undefined
  const last = command.body.at(-1)?.pipelines.at(-1)?.commands.at(-1)
  return last?.type === 'SimpleCommand' ? last : undefined
}
