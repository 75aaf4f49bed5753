// Runs in a process of its own: commands that could end the process, or that never end, are no danger there.
import { SandboxError } from '../../../src/index.ts'
import { engines } from '../../support/engines.ts'
import { strands } from '../../support/strands-engine.ts'
import type { ChildOutcome, ChildReport, ChildTask } from '../support/child-task.ts'

const task: ChildTask = JSON.parse(process.argv[2] ?? '')
const engine = engines.find(({ name }) => name === task.engine) ?? strands
const sandbox = await engine.openStatic(task.config)
const stackVariable = process.env['RUST_MIN_STACK']
const outcomes: ChildOutcome[] = []
const seconds: number[] = []
for (const command of task.commands) {
  const start = performance.now()
  outcomes.push(await run(command.map(({ text, times }) => text.repeat(times)).join('')))
  seconds.push((performance.now() - start) / 1000)
}
const report: ChildReport = { outcomes, seconds, stackVariable }
process.stdout.write(JSON.stringify(report), () => process.exit(0))

async function run(command: string): Promise<ChildOutcome> {
  try {
    return await sandbox.execute(command)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const { code, cause } = error
    return { code, cause: cause instanceof Error && 'code' in cause ? String(cause.code) : undefined }
  }
}
