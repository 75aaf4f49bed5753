import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { auditLog } from '../../src/index.ts'
import { program } from '../fixtures/program.ts'
import { byTier } from '../support/tier.ts'
import { linesIn, logPath, recordAll, textOf, toldIn } from './support.ts'

/** Runs `children/record.ts`; kills it so many milliseconds after its begin. */
async function record(file: string, how: string, killAfter?: number) {
  const child = spawn(process.execPath, [program('test/audit/children/record.ts'), file, how], {
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout === '' && killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter)
    stdout += text
  })
  const [code, signal] = await once(child, 'close')
  return { code, signal, stdout }
}

/** The numbers of each sandbox's lines, less those that they must be. */
function gapsIn(text: string): readonly unknown[] {
  const numbers = new Map<unknown, number>()
  const first = new Map<unknown, number>([[0, 1]])
  return linesIn(text).filter(({ sandbox, sequence }) => {
    const expected = numbers.get(sandbox) ?? first.get(sandbox) ?? 0
    numbers.set(sandbox, expected + 1)
    return sequence !== expected
  })
}

it('has whole lines without a gap, whenever its process is killed', async () => {
  for (let run = 0; run < byTier({ default: 3, full: 60 }); run++) {
    const file = await logPath()
    const end = await record(file, 'endless', 100 + Math.random() * 300)
    expect(end.signal).toBe('SIGKILL')
    const log = auditLog({ file, keep: 1000 })
    await log.close()
    const text = await textOf(file)
    expect(linesIn(text).length).toBeGreaterThan(100)
    expect(gapsIn(text)).toEqual([])
    // The next process goes on.
    const next = auditLog({ file, keep: 1000 })
    recordAll(next, 'next')
    await next.close()
    expect(toldIn(await textOf(file)).at(-1)).toBe('next')
  }
})

it.each([
  ['at once', 0, 1000],
  ['process.exit', 0, 2000],
  ['an exception', 1, 1010],
] as const)('has every line of a process that ends: %s', async (how, code, count) => {
  const file = await logPath()
  expect(await record(file, how)).toEqual({ code, signal: null, stdout: '' })
  const text = await textOf(file)
  expect(linesIn(text)).toHaveLength(count)
  expect(gapsIn(text)).toEqual([])
})

it('is flushed by a host that is closed, and keeps no process alive', async () => {
  const file = await logPath()
  const { code, stdout } = await record(file, 'host')
  expect([code, stdout]).toEqual([0, '43\n'])
  const kinds = linesIn(await textOf(file)).map(({ kind }) => kind)
  expect([kinds[0], kinds.at(-1), kinds.length]).toEqual(['opened', 'closed', 43])
})
