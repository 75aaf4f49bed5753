import { INPUT } from '../session/input.ts'
import { readSaved, SAVE } from '../session/save.ts'
import { syntaxError } from '../text/syntax-error.ts'
import { DISCARD } from '../transform/discard.ts'
import { PARSE_EVAL, STDIN } from '../transform/lazy-eval.ts'
import { SYNTAX } from '../transform/lines-before.ts'
import { READONLY } from '../transform/readonly-names.ts'
import { LEFT, TOOK } from '../transform/taking-input.ts'
import { bytes, done, failed, type OwnCommand } from './command.ts'

/** `__save`: the state at the end of a script. */
export const save: OwnCommand = {
  name: SAVE,
  run(args, context, { current }) {
    if (current === undefined) return done()
    const saved = readSaved(args, context, current.state)
    current.save(saved)
    return done('', saved.exitCode)
  },
}

/** `__input`: what the script that runs reads. */
export const input: OwnCommand = {
  name: INPUT,
  run: (_args, _context, { current }) => bytes(current?.input ?? ''),
}

/** `__stdin`: what stands before it in a pipeline, or what its script reads. */
export const stdin: OwnCommand = {
  name: STDIN,
  run: (_args, context) => bytes(String(context.stdin)),
}

/** `__left`: how much of the input is left. */
export const left: OwnCommand = {
  name: LEFT,
  run(_args, { stdin }, { programs: { inputTaken } }) {
    inputTaken.left = String(stdin).length
    return done()
  },
}

/** `__took status`, and `__took`: the status of a command, and what it has taken is taken. */
export const took: OwnCommand = {
  name: TOOK,
  run(args, _context, { programs: { inputTaken } }) {
    const [status] = args
    inputTaken.statuses = args
    const kept = inputTaken.status
    inputTaken.status = Number(status ?? 0)
    return done('', status === undefined ? kept : 0)
  },
}

/** `__discard pid`: an expression has failed in the shell of that pid. What was not read is for the next lines. */
export const discard: OwnCommand = {
  name: DISCARD,
  run([pid = ''], context, { current }) {
    current?.discard(Number(pid), String(context.stdin))
    return done()
  },
}

/** `__readonly name`: an assignment was refused. */
export const refuseReadonly: OwnCommand = {
  name: READONLY,
  run: ([name = '']) => failed('bash', `${name}: readonly variable`),
}

/** `__syntax message`: a line that does not parse ends a script. */
export const tellSyntax: OwnCommand = {
  name: SYNTAX,
  run: ([message = ''], { env }) => failed(env.get('0') ?? 'bash', message, 2),
}

/** `__eval words`: parses what `eval` runs next. */
export const parseEval: OwnCommand = {
  name: PARSE_EVAL,
  run(args, _context, { current, programs }) {
    const words = args[0] === '--' ? args.slice(1) : args
    const text = words.join(' ')
    try {
      const program = programs.read(text)
      current?.noteArrays(program)
      programs.evaluated.current = program.statements
      return done()
    } catch (error) {
      const told = error instanceof Error ? syntaxError(error, text) : String(error)
      return failed('bash', `eval: ${told}`, 2)
    }
  },
}
