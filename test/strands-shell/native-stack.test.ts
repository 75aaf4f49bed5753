import { beforeAll, describe, expect, it } from 'vitest'
import { byTier } from '../support/tier.ts'
import { type Backend, backends } from './support/backend.ts'
import { once, runInChild } from './support/child.ts'
import { result } from './support/expected.ts'

/** Their time is quadratic. */
const expansions = byTier({ default: 6000, full: 20_000 })

describe.each(backends)('native stacks ($name)', nativeStack)

// In another process: where the stack overflows, that process is killed.
function nativeStack(backend: Backend): void {
  const deep = [
    ['a function that calls itself', once('f(){ f; }; f')],
    ['500,000 open brackets', [{ text: '(', times: 500_000 }]],
    ['50,000 open braces', [{ text: '{ ', times: 50_000 }]],
    ['20,000 open ifs', [{ text: 'if ', times: 20_000 }]],
    [`${expansions} open parameter expansions`, [...once('echo '), { text: '${a:-', times: expansions }]],
    [
      `${expansions} nested parameter expansions`,
      [...once('echo '), { text: '${a:-', times: expansions }, { text: '}', times: expansions }],
    ],
  ] as const
  let end: Awaited<ReturnType<typeof runInChild>>

  // All in one process, whose start takes longer than they do.
  beforeAll(async () => {
    end = await runInChild({
      // A busy machine takes half a minute for the deepest.
      config: { isolation: backend.name, timeout: 90 },
      commands: [once('kept=yes'), ...deep.flatMap(([, command]) => [command, once('echo $kept')])],
    })
  })

  it.each(deep.map(([what], index) => ({ what, index })))(
    '$what: an ordinary result, and the next command of the session works',
    ({ index }) => {
      const [before, ...outcomes] = end.report?.outcomes ?? []
      const [outcome, after] = outcomes.slice(2 * index)
      expect({ code: end.code, signal: end.signal, stderr: end.stderr, before, after }).toEqual({
        code: 0,
        signal: null,
        stderr: '',
        before: result(),
        after: result({ stdout: 'yes\n' }),
      })
      expect(outcome).toMatchObject({ type: 'executionResult' })
    },
  )

  it('RUST_MIN_STACK is unset again once a session is open', async () => {
    const { report } = await runInChild({ config: { isolation: backend.name }, commands: [] })
    expect(report).toEqual({ outcomes: [], seconds: [] })
  })

  it('RUST_MIN_STACK stays as the user set it', async () => {
    const { report } = await runInChild(
      { config: { isolation: backend.name }, commands: [] },
      { env: { RUST_MIN_STACK: '536870912' } },
    )
    expect(report).toEqual({ outcomes: [], seconds: [], stackVariable: '536870912' })
  })
}
