import { check } from './check.ts'
import { formsOf, Halt } from './forms.ts'
import { PLAIN } from './functions.ts'
import { Interpreter } from './interpreter.ts'
import { CompileError } from './lexer.ts'
import { parseProgram } from './parser.ts'
import { prelude } from './prelude.ts'
import { JsonReader } from './read-json.ts'
import { Scope } from './scope.ts'
import { isArray, isObject, isTrue, JqError, type Json, type Layout, nextOf, writeJson } from './values.ts'

/** What a run of jq is asked for. */
export interface JqRequest {
  readonly program: string
  /** All input, as text. */
  readonly input: string
  readonly variables: ReadonlyMap<string, Json>
  readonly environment: ReadonlyMap<string, string>
  readonly layout: Layout
  readonly nullInput: boolean
  readonly slurp: boolean
  /** Inputs are lines, not JSON. */
  readonly rawInput: boolean
  readonly stream: boolean
  /** Strings are written as they are; `'joined'`: without line ends. */
  readonly output: 'json' | 'raw' | 'joined' | 'nul'
  /** The status tells of the last output. */
  readonly exitStatus: boolean
}

interface JqResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** More characters than a program may write. */
const MOST_OUTPUT = 64 * 1024 * 1024

/** Runs a program of jq over its input. @param step - called at every step; what it throws ends the program */
export function runJq(request: JqRequest, step: () => void): JqResult {
  let [stdout, stderr] = ['', '']
  let exitCode = 0
  let last: Json | undefined
  const write = (value: Json) => {
    stdout += written(value, request)
    if (stdout.length > MOST_OUTPUT) throw new Halt(5, 'jq: the output is more than fits here\n')
  }
  try {
    const inputs = inputsOf(request)
    const input = () => nextOf(inputs)
    const forms = formsOf({
      input,
      environment: request.environment,
      tell: (text) => {
        stderr += text
      },
    })
    const library = { forms, plain: PLAIN, defined: prelude() }
    const variables: [string, Json][] = [...request.variables, ['ENV', new Map(request.environment)]]
    const scope = variables.reduce<Scope | undefined>(
      (outer, [name, value]) => new Scope(`$${name}`, value, outer),
      undefined,
    )
    const program = parseProgram(request.program)
    check(
      program,
      library,
      variables.map(([name]) => name),
    )
    const interpreter = new Interpreter(library, step)
    for (let next = request.nullInput ? null : input(); next !== undefined; ) {
      try {
        for (const value of interpreter.values(program, scope, next)) {
          write(value)
          last = value
        }
      } catch (error) {
        if (!(error instanceof JqError)) throw error
        stderr += `jq: error (at <stdin>:0)${typeof error.value === 'string' ? '' : ' (not a string)'}: ${error.message.replace(' (not a string)', '')}\n`
        exitCode = 5
      }
      if (request.nullInput) break
      next = input()
    }
  } catch (error) {
    if (error instanceof CompileError)
      return { stdout, stderr: `${stderr}jq: error: ${error.message}\njq: 1 compile error\n`, exitCode: 3 }
    if (error instanceof InputError)
      return { stdout, stderr: `${stderr}jq: error (at <stdin>:0): ${error.message}\n`, exitCode: 2 }
    if (error instanceof RangeError)
      return {
        stdout,
        stderr: `${stderr}jq: error: the program is nested deeper than is known here\n`,
        exitCode: 5,
      }
    if (!(error instanceof Halt)) throw error
    return { stdout, stderr: stderr + haltText(error), exitCode: error.status }
  }
  if (exitCode === 0 && request.exitStatus) exitCode = last === undefined ? 4 : isTrue(last) ? 0 : 1
  return { stdout, stderr, exitCode }
}

class InputError extends Error {
  override readonly name = 'InputError'
}

const haltText = ({ told }: Halt): string =>
  told === undefined ? '' : typeof told === 'string' ? told : `${writeJson(told)}\n`

function written(value: Json, { layout, output }: JqRequest): string {
  const text =
    typeof value === 'string' && output !== 'json' && !layout.ascii ? value : writeJson(value, layout)
  return output === 'joined' ? text : output === 'nul' ? `${text}\0` : `${text}\n`
}

function* inputsOf(request: JqRequest): Generator<Json, undefined, undefined> {
  const { input, slurp, rawInput, stream } = request
  if (rawInput) {
    if (slurp) yield input
    else {
      const lines = input.split('\n')
      if (lines.at(-1) === '') lines.pop()
      yield* lines
    }
    return undefined
  }
  const values = read(input)
  if (slurp && stream) yield [...values].flatMap((value) => [...events(value, [])])
  else if (slurp) yield [...values]
  else if (stream) for (const value of values) yield* events(value, [])
  else yield* values
  return undefined
}

function* read(text: string): Generator<Json, void, undefined> {
  const reader = new JsonReader(text)
  for (;;) {
    let value: Json | undefined
    try {
      value = reader.next()
    } catch (error) {
      if (error instanceof JqError) throw new InputError(error.message)
      throw error
    }
    if (value === undefined) return
    yield value
  }
}

/** `--stream`: leaves with their paths, and where an array or object ends. */
function* events(value: Json, path: readonly Json[]): Generator<Json, void, undefined> {
  const children: [Json, Json][] = isArray(value) ? [...value.entries()] : isObject(value) ? [...value] : []
  if (children.length === 0) {
    yield [path, value]
    return
  }
  for (const [key, child] of children) yield* events(child, [...path, key])
  yield [[...path, children.at(-1)?.[0] ?? null]]
}
