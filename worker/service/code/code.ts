import type { Script } from 'node:vm'
import { type CompiledTexts, digestOf, readCode } from './code-file.ts'

/** Texts as V8 runs them. What was compiled of them before is used again, where V8 accepts it. */
export class Code {
  readonly #known: CompiledTexts
  readonly #scripts = new Map<string, Script>()

  /** @param known - what was compiled before. Default: nothing. */
  constructor(known: CompiledTexts = new Map()) {
    this.#known = known
  }

  /** That of a file; undefined where there is none. */
  static from(path: string): Code | undefined {
    const known = readCode(path)
    return known === undefined ? undefined : new Code(known)
  }

  /** V8 takes nothing that another version of it, or one with other flags, has compiled: then it compiles the text. */
  script(text: string, filename: string): Script {
    const digest = digestOf(text)
    const cachedData = this.#known.get(digest)
    const { Script } = process.getBuiltinModule('node:vm')
    const script = new Script(text, { filename, ...(cachedData === undefined ? {} : { cachedData }) })
    this.#scripts.set(digest, script)
    return script
  }

  /** All that was compiled of the texts so far: functions that have run are among it. */
  get compiled(): CompiledTexts {
    return new Map([...this.#scripts].map(([digest, script]) => [digest, script.createCachedData()]))
  }
}
