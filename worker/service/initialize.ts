import type { EngineShell } from './engine-shell.ts'
import { FarError } from './far-error.ts'

/** Characters of the output of `init` that its failure tells: an error of a cell has a bounded size. */
const MOST_OUTPUT = 4000

/** Runs the script of a session that opens. @throws FarError `INVALID_CONFIG` where it fails */
export async function initialize(shell: Pick<EngineShell, 'run'>, command: string): Promise<void> {
  const outcome = await shell.run({ command })
  if (!outcome.ok) throw refused(`could not run: ${outcome.error.message}`)
  const { exitCode, stdout, stderr } = outcome.value
  if (exitCode === 0) return
  throw refused(`ended with exit code ${exitCode}. Its output: ${tail(`${stdout}${stderr}`)}`)
}

function refused(problem: string): FarError {
  return new FarError({ code: 'INVALID_CONFIG', field: 'init', message: `init ${problem}` })
}

function tail(output: string): string {
  if (output.length <= MOST_OUTPUT) return output
  return `… ${output.slice(-MOST_OUTPUT).replace(/^[\udc00-\udfff]/, '')}`
}
