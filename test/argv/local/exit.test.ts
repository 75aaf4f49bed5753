import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { until } from '../../faults/helpers.ts'
import { program } from '../../fixtures/program.ts'
import { isRunning } from '../helpers.ts'

it('a process that closes nothing leaves no temporary workdir and no process when it exits', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const script = program('test/argv/local/children/unclosed-child.ts')
  const output = execFileSync(process.execPath, [script], { cwd: root, timeout: 60_000 })
  const left: { workdir: string; pids: number[] } = JSON.parse(output.toString())
  expect(left.pids.every((pid) => pid > 1)).toBe(true)
  expect(existsSync(left.workdir)).toBe(false)
  await until(() => !left.pids.some(isRunning))
})
