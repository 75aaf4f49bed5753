import type { ScriptAnalysis } from '../analysis.ts'
import type { PolicyCall } from '../types.ts'
import { analysisOf } from './cache.ts'
import { emptyAnalysis } from './empty.ts'

/** What the call of a policy says of itself, read where it is first asked for. */
export class CallAnalysis implements ScriptAnalysis {
  readonly #call: PolicyCall
  #read: ScriptAnalysis | undefined

  constructor(call: PolicyCall) {
    this.#call = call
  }

  get parsed() {
    return this.#analysis.parsed
  }

  get commands() {
    return this.#analysis.commands
  }

  get redirects() {
    return this.#analysis.redirects
  }

  get assignments() {
    return this.#analysis.assignments
  }

  get functions() {
    return this.#analysis.functions
  }

  get substitutions() {
    return this.#analysis.substitutions
  }

  get opaque() {
    return this.#analysis.opaque
  }

  /** The analysis as plain data. */
  toJSON(): ScriptAnalysis {
    return this.#analysis
  }

  [Symbol.for('nodejs.util.inspect.custom')](): ScriptAnalysis {
    return this.#analysis
  }

  get #analysis(): ScriptAnalysis {
    this.#read ??= analyzeCall(this.#call)
    return this.#read
  }
}

function analyzeCall(call: PolicyCall): ScriptAnalysis {
  switch (call.kind) {
    case 'command':
      return analysisOf(call.command)
    case 'code':
      return isShell(call.language)
        ? analysisOf(call.code)
        : emptyAnalysis(true, [{ kind: 'language', text: call.language }])
    case 'file':
      return noScript
  }
}

/** Whether code of a language is a script of the shell. */
export function isShell(language: string): boolean {
  return language === 'bash' || language === 'sh'
}

const noScript = emptyAnalysis(true)
