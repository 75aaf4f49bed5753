import { expect, it } from 'vitest'
import type { ExecutionEvent } from '../../src/index.ts'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import { byTier } from '../support/tier.ts'
import { result } from './support/expected.ts'
import { factsOf } from './support/failure.ts'

describeEngines('streaming', streaming)

function streaming(engine: HostedEngine): void {
  const { language } = engine

  it('yields a chunk for each stream, then the result', async () => {
    const sandbox = await engine.open()
    const out = { type: 'streamChunk', data: 'out\n', streamType: 'stdout' }
    const err = { type: 'streamChunk', data: 'err\n', streamType: 'stderr' }
    // An engine that does not stream gives standard output first.
    const chunks = engine.capabilities.streaming ? [err, out] : [out, err]
    expect(await collect(sandbox.executeStreaming('echo err >&2; echo out; exit 3'))).toEqual([
      ...chunks,
      result({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' }),
    ])
  })

  it('yields no chunk for a stream that is empty, and only the result when both are', async () => {
    const sandbox = await engine.open()
    expect(await collect(sandbox.executeStreaming('echo out'))).toEqual([
      { type: 'streamChunk', data: 'out\n', streamType: 'stdout' },
      result({ stdout: 'out\n' }),
    ])
    expect(await collect(sandbox.executeStreaming('echo err >&2'))).toEqual([
      { type: 'streamChunk', data: 'err\n', streamType: 'stderr' },
      result({ stderr: 'err\n' }),
    ])
    expect(await collect(sandbox.executeStreaming('true'))).toEqual([result()])
  })

  it('streams code the same way', async () => {
    const sandbox = await engine.open()
    expect(
      await collect(
        sandbox.executeCodeStreaming(
          [language.print('a'), language.printError('b'), language.exit(2)].join('\n'),
          language.name,
        ),
      ),
    ).toEqual([
      { type: 'streamChunk', data: 'a', streamType: 'stdout' },
      { type: 'streamChunk', data: 'b', streamType: 'stderr' },
      result({ exitCode: 2, stdout: 'a', stderr: 'b' }),
    ])
    expect(await collect(sandbox.executeCodeStreaming('', language.name))).toEqual([result()])
  })

  it('the chunks together are the result’s output', async () => {
    const sandbox = await engine.open()
    const lines = byTier({ default: 400, full: 3000 })
    const events = await collect(
      sandbox.executeStreaming(`i=0; while [ $i -lt ${lines} ]; do echo "line $i é"; i=$((i+1)); done`),
    )
    const chunks = events.filter((event) => event.type === 'streamChunk')
    expect(events.at(-1)).toEqual(result({ stdout: chunks.map(({ data }) => data).join('') }))
  })

  it('applies cwd, env, timeout and signal', async () => {
    const sandbox = await engine.open()
    const options = { cwd: '/tmp', env: { A: 'b' } }
    expect((await collect(sandbox.executeStreaming('pwd; echo $A', options))).at(-1)).toEqual(
      result({ stdout: '/tmp\nb\n' }),
    )
    expect(
      await factsOf(collect(sandbox.executeStreaming('sleep 0.2; true', { timeout: 0.05 }))),
    ).toMatchObject({
      code: 'TIMEOUT',
    })
    expect(
      await factsOf(collect(sandbox.executeStreaming('true', { signal: AbortSignal.abort() }))),
    ).toMatchObject({
      code: 'ABORTED',
    })
  })

  it('rejects invalid arguments at the first next()', async () => {
    const sandbox = await engine.open()
    expect(await factsOf(sandbox.executeStreaming('a\0b').next())).toMatchObject({ field: 'command' })
    expect(await factsOf(sandbox.executeCodeStreaming('', 'a b').next())).toMatchObject({ field: 'language' })
  })

  it('runs nothing until the first next()', async () => {
    const sandbox = await engine.open()
    sandbox.executeStreaming('touch /tmp/ran')
    expect(await sandbox.listFiles('/tmp')).toEqual([])
  })

  it('leaving a generator early keeps the session usable', async () => {
    const sandbox = await engine.open()
    await sandbox.execute('kept=1')
    for await (const event of sandbox.executeStreaming('echo a; echo b >&2')) {
      expect(event.type).toBe('streamChunk')
      break
    }
    expect(await sandbox.execute('echo $kept')).toEqual(result({ stdout: '1\n' }))
  })
}

async function collect(events: AsyncIterable<ExecutionEvent>): Promise<ExecutionEvent[]> {
  const collected: ExecutionEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}
