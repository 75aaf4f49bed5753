import { createHash } from 'node:crypto'
import type { CheckpointEntry } from '../../../../src/contract/checkpoint.ts'
import type { FunctionFacts } from '../translate/facts.ts'
import type { FormerFunctions } from '../translate/restore-functions.ts'
import type { DefiningScript } from '../translate/translation.ts'
import type { KeptFunction } from './session-functions.ts'
import type { Fact } from './told.ts'
import { isList, isRecord, isText, textOf } from './values.ts'
import { wrongFact } from './wrong-fact.ts'

const FUNCTION = 'function '
const SCRIPT = 'script '
const PROGRAM = '/bin/'

/** Functions as facts of a checkpoint, with the scripts that define them. */
export function functionFacts(functions: readonly KeptFunction[]): Fact[] {
  const scripts = new Map<DefiningScript, string>()
  const facts: Fact[] = []
  for (const { name, id, text, script, facts: known } of functions) {
    const value = scripts.get(script) ?? writeScript(script)
    scripts.set(script, value)
    const written = { id, text, script: digestOf(value), facts: { ...known, names: [...known.names] } }
    facts.push({ key: FUNCTION + name, value: JSON.stringify(written) })
  }
  const values = new Set(scripts.values())
  return [...[...values].map((value) => ({ key: SCRIPT + digestOf(value), value })), ...facts]
}

/** The text of a program is that of the version which runs it. */
function writeScript({ definitions, files, names, defined }: DefiningScript): string {
  const written = [...files].map(([path, text]) => [path, path.includes(PROGRAM) ? '' : text])
  return JSON.stringify({ definitions, files: written, names, defined })
}

/** The facts of a checkpoint as functions. */
export class FunctionReader {
  readonly #scripts: DefiningScript[] = []
  readonly #facts = new Map<string, FunctionFacts>()
  readonly #texts: string[] = []
  /** What the mark of each has to be. */
  readonly ids = new Map<string, string>()

  /** Takes a fact; false where it is not of functions. @throws {TypeError} where it is not of this version */
  read({ key, value }: CheckpointEntry): boolean {
    if (key.startsWith(SCRIPT)) this.#scripts.push(readScript(value))
    else if (key.startsWith(FUNCTION)) this.#readFunction(key.slice(FUNCTION.length), JSON.parse(value))
    else return false
    return true
  }

  get functions(): Pick<FormerFunctions, 'scripts' | 'functions' | 'texts'> {
    return { scripts: this.#scripts, functions: this.#facts, texts: this.#texts }
  }

  #readFunction(name: string, value: unknown): void {
    if (!isRecord(value) || !isText(value['id']) || !isRecord(value['facts'])) throw wrongFact()
    this.ids.set(name, value['id'])
    this.#texts.push(textOf(value['text']))
    this.#facts.set(name, readFacts(value['facts']))
  }
}

function readFacts(value: Readonly<Record<string, unknown>>): FunctionFacts {
  const { names, other } = value
  if (!isList(names, isText) || (other !== undefined && !isText(other))) throw wrongFact()
  return {
    names: new Set(names),
    other,
    isEnding: flagOf(value['isEnding']),
    isReading: flagOf(value['isReading']),
    isPiped: flagOf(value['isPiped']),
    setsErrexit: flagOf(value['setsErrexit']),
    isUnchecked: flagOf(value['isUnchecked']),
  }
}

function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrongFact()
  return value
}

function readScript(json: string): DefiningScript {
  const value: unknown = JSON.parse(json)
  if (!isRecord(value)) throw wrongFact()
  const { definitions, files, names, defined } = value
  if (!isText(definitions) || !isList(names, isText) || !isList(defined, isRecord)) throw wrongFact()
  if (!isList(files, (file): file is string[] => isList(file, isText))) throw wrongFact()
  return {
    definitions,
    files: new Map(files.map(([path = '', text = '']) => [path, text])),
    names,
    defined: defined.map(({ name, id, text }) => ({
      name: textOf(name),
      id: textOf(id),
      text: textOf(text),
    })),
  }
}

function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
