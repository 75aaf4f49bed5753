import { expect, it, vi } from 'vitest'
import { until } from '../../faults/helpers.ts'
import { isThere } from './cell-pids.ts'
import { cellHost, inhabit, lostBy, told } from './helpers.ts'

/** Has that many seconds pass for the watches of cells; each cell that is asked has the time to answer. */
async function pass(seconds: number, alive: () => Promise<unknown>): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) {
    vi.advanceTimersByTime(1000)
    await alive()
  }
}

it('a cell that does not answer for 10 s is killed, and only its sandboxes are lost', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const host = cellHost()
  const [{ pid, sandboxes }, { sandboxes: neighbours }] = await inhabit(host)
  process.kill(pid, 'SIGSTOP')
  const pending = told(sandboxes[0].execute('echo never'))
  const alive = async () =>
    expect(await told(neighbours[0].execute('sleep 0.01; echo lives'))).toBe('lives\n')

  await pass(10, alive)
  expect([sandboxes[1].status, isThere(pid)]).toEqual(['open', true])
  await pass(1, alive)
  const loss = lostBy('CELL_STALLED', /^The cell was killed: it had not answered for 10 s\.$/)
  expect(await pending).toEqual(loss)
  await until(() => sandboxes[1].status === 'lost')
  expect(await told(sandboxes[1].execute('echo b'))).toEqual(loss)
  expect(await told(sandboxes[1].execute('echo b'))).toBe('b\n')
  await until(() => !isThere(pid))
  expect(neighbours.map(({ generation }) => generation)).toEqual([1, 1])
})

it('a cell that answers again after 9 s keeps its sandboxes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const host = cellHost()
  const [{ pid, sandboxes }, { sandboxes: neighbours }] = await inhabit(host)
  const alive = (sandbox = neighbours[0]) => told(sandbox.execute('sleep 0.01; echo a'))
  process.kill(pid, 'SIGSTOP')
  await pass(9, () => alive())
  process.kill(pid, 'SIGCONT')
  expect(await alive(sandboxes[0])).toBe('a\n')
  await pass(12, () => alive(sandboxes[0]))
  expect([...sandboxes, ...neighbours].map(({ generation }) => generation)).toEqual([1, 1, 1, 1])
})
