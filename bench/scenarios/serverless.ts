import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Contender } from '../contenders/contender.ts'
import { sampleTimes } from '../measure.ts'
import type { Scenario } from '../scenario.ts'

const cold = 'cold start'
const next = 'next request'

/** Answers of a serverless function, from the start of its process and while it lives. */
export const serverless: Scenario = {
  name: 'serverless',
  title: 'A serverless function',
  does: 'A function that opens a shell for each request, runs `echo a` and closes it: from the start of its process to its first answer, and from a further request to the answer.',
  unit: 'ms',
  cases: [cold, next],
  rounds: 3,
  measure: async function* (contender, effort) {
    while (true) {
      let living: ServerlessFunction | undefined
      const start = async () => {
        living = new ServerlessFunction(contender)
        await living.answer()
      }
      const starts = await sampleTimes(start, {
        time: 500 * effort,
        least: 3,
        warmup: 1,
        hooks: { afterEach: () => living?.end() },
      })
      await start()
      const requests = await sampleTimes(async () => living?.answer(), { time: 200 * effort, least: 10 })
      await living?.end()
      yield { [cold]: starts, [next]: requests }
    }
  },
}

/** A process that answers requests. */
class ServerlessFunction {
  readonly #process: ChildProcess
  #errors = ''

  constructor({ name }: Contender) {
    const file = fileURLToPath(new URL('./serverless-child.js', import.meta.url))
    this.#process = spawn(process.execPath, [file, name], { stdio: 'pipe' })
    this.#process.stderr?.on('data', (chunk) => {
      this.#errors += chunk
    })
    this.#process.stdin?.on('error', () => undefined) // A process that has gone is told by its end.
  }

  /** Sends a request. @throws {Error} on a wrong answer, or none */
  async answer(): Promise<void> {
    const { stdin, stdout } = this.#process
    if (stdin === null || stdout === null) throw new TypeError('The process has no pipes.')
    const answered = Promise.race([once(stdout, 'data'), once(this.#process, 'close')])
    stdin.write('request\n')
    const [answer] = await answered
    if (String(answer) !== 'a\n') throw new Error(`a function answered ${String(answer)}: ${this.#errors}`)
  }

  /** Ends the process and waits for it. */
  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'close')
    this.#process.stdin?.end()
    await ended
  }
}
