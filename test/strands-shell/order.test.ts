import { expect, it } from 'vitest'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { result } from './support/expected.ts'
import { factsOf } from './support/failure.ts'

const numbers = Array.from({ length: 100 }, (_, i) => i)

describeEngines('order', order)

function order(engine: HostedEngine): void {
  it.each([
    ['an open sandbox', true],
    ['a new sandbox, which the first call opens', false],
  ])(
    'a hundred commands made at once on %s run and settle in the order in which they were made',
    async (_what, opened) => {
      const sandbox = opened ? await engine.open() : engine.create()
      const settled: number[] = []
      await Promise.all(
        numbers.map(async (i) => {
          await sandbox.execute(`log="$log ${i}"`)
          settled.push(i)
        }),
      )
      expect(settled).toEqual(numbers)
      expect(await sandbox.getEnv('log')).toBe(numbers.map((i) => ` ${i}`).join(''))
    },
  )

  it('a call made while the sandbox opens does not overtake those that wait for it', async () => {
    const sandbox = engine.create()
    const first = numbers.slice(0, 20).map((i) => sandbox.execute(`log="$log ${i}"`))
    const opening = sandbox.open()
    const rest = opening.then(() =>
      Promise.all(numbers.slice(20).map((i) => sandbox.execute(`log="$log ${i}"`))),
    )
    await Promise.all([...first, opening, rest])
    expect(await sandbox.getEnv('log')).toBe(numbers.map((i) => ` ${i}`).join(''))
  })

  it('calls of every kind share one order', async () => {
    const sandbox = await engine.open()
    const calls = numbers.map(async (i): Promise<unknown> => {
      const path = '/tmp/counter'
      switch (i % 5) {
        case 0:
          return sandbox.writeText(path, `${i}`)
        case 1:
          return sandbox.readText(path)
        case 2:
          return sandbox.execute(`echo ${i} > counter`, { cwd: '/tmp' })
        case 3:
          return sandbox.executeCode(engine.language.printFile(path), engine.language.name)
        default:
          return sandbox.setEnv('LAST', `${i}`)
      }
    })
    const expected = numbers.map((i) => {
      if (i % 5 === 1) return `${i - 1}`
      if (i % 5 === 2) return result()
      return i % 5 === 3 ? result({ stdout: `${i - 1}\n` }) : undefined
    })
    expect(await Promise.all(calls)).toEqual(expected)
    expect(await sandbox.getEnv('LAST')).toBe('99')
  })

  it('a call that fails does not hold up or change those behind it', async () => {
    const sandbox = await engine.open()
    const outcomes = await Promise.allSettled([
      sandbox.execute('exit 3'),
      sandbox.readFile('/no/such/file'),
      sandbox.execute("echo 'open"),
      sandbox.execute('echo last'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: result({ stdout: 'last\n' }) })
  })

  it('a call over maxPending rejects at once with LIMIT_EXCEEDED and runs nothing; the others run', async () => {
    const sandbox = await engine.open({ maxPending: 3 })
    const calls = [1, 2, 3].map((i) => sandbox.execute(`echo ${i}; touch /tmp/${i}`))
    expect(await factsOf(sandbox.execute('touch /tmp/4'))).toEqual({
      name: 'SandboxLimitError',
      code: 'LIMIT_EXCEEDED',
      limit: 'maxPending',
      value: 3,
    })
    expect(await Promise.all(calls)).toEqual([1, 2, 3].map((i) => result({ stdout: `${i}\n` })))
    expect((await sandbox.listFiles('/tmp')).map(({ name }) => name)).toEqual(['1', '2', '3'])
  })

  it('maxPending is 1000 by default', async () => {
    const sandbox = await engine.open()
    const calls = Array.from({ length: 1000 }, () => sandbox.execute('true'))
    expect(await factsOf(sandbox.execute('true'))).toMatchObject({ code: 'LIMIT_EXCEEDED', value: 1000 })
    expect(await Promise.all(calls)).toEqual(calls.map(() => result()))
  })

  it('maxPending holds for a sandbox that is not open yet', async () => {
    const sandbox = engine.create({ maxPending: 3 })
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((i) => sandbox.execute(`echo ${i}`)))
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
  })
}
