import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { program } from '../fixtures/program.ts'
import { isFull } from '../support/tier.ts'

const loader = fileURLToPath(new URL('../fixtures/vm-context.mjs', import.meta.url))
const work = program('test/faults/children/other-realm.ts')

/** What every sandbox does: see `children/other-realm.ts`. */
const facts = (sync: string) => [
  ...['a', 'b\n', null, [99], 'PATH_NOT_FOUND', 'TIMEOUT', 'ABORTED', 'd'],
  ...[['/work/b'], 'INVALID_CONFIG', sync],
]
const outcomes = {
  ...{ 'worker strands': facts('e\n'), 'worker bash': facts('e\n') },
  ...{ 'shared strands': facts('e\n'), 'shared bash': facts('e\n') },
  ...{ 'process strands': facts('UNSUPPORTED'), 'process bash': facts('UNSUPPORTED') },
}

const ways = [
  { name: 'a context of its own, with frozen intrinsics', args: [loader, work, 'frozen'] },
  { name: 'a context of its own', args: [loader, work] },
  { name: 'a process with frozen intrinsics', args: ['--frozen-intrinsics', work] },
]

it.runIf(isFull).each(ways)('sandboxes work in $name', async ({ args }) => {
  const options = { timeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } }
  const flags = ['--no-warnings', '--experimental-vm-modules']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...args], options)
  expect(JSON.parse(stdout)).toEqual(outcomes)
})
