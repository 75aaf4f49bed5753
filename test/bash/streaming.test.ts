import { describe, expect, it, onTestFinished } from 'vitest'
import { type BashConfig, BashSandbox } from '../../src/bash/index.ts'
import type { ExecutionEvent, ExecutionResult } from '../../src/index.ts'
import { endOf, until, within } from '../faults/helpers.ts'
import { result } from '../strands-shell/support/expected.ts'
import { levelsOrThread } from '../support/describe-engines.ts'

const endless = 'while :; do :; done'
const out = (data: string) => ({ type: 'streamChunk', data, streamType: 'stdout' })
const err = (data: string) => ({ type: 'streamChunk', data, streamType: 'stderr' })

async function collect(events: AsyncIterable<ExecutionEvent>): Promise<ExecutionEvent[]> {
  const collected: ExecutionEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

/** The result of a stream, whose chunks must be its output. */
function whole(events: readonly ExecutionEvent[]): ExecutionResult {
  const last = events.at(-1)
  if (last?.type !== 'executionResult') throw new Error('a stream ended without a result')
  const of = (stream: string) =>
    events.flatMap((event) => (event.type === 'streamChunk' && event.streamType === stream ? event.data : []))
  expect([of('stdout').join(''), of('stderr').join('')]).toEqual([last.stdout, last.stderr])
  return last
}

describe.each(levelsOrThread)('streaming of a bash sandbox (%s)', (isolation) => {
  async function open(config: BashConfig = {}): Promise<BashSandbox> {
    const sandbox = await BashSandbox.open({ isolation, ...config })
    onTestFinished(() => sandbox.close())
    return sandbox
  }

  it('yields the output of each statement, in order, then the result', async () => {
    const sandbox = await open()
    expect(
      await collect(
        sandbox.executeStreaming('echo a; echo b >&2; false\necho c; for i in 1 2; do echo $i; done'),
      ),
    ).toEqual([
      out('a\n'),
      err('b\n'),
      out('c\n'),
      out('1\n2\n'),
      result({ stdout: 'a\nc\n1\n2\n', stderr: 'b\n' }),
    ])
    expect(await collect(sandbox.executeStreaming('true'))).toEqual([result()])
  })

  it('yields a statement while a later one runs', async () => {
    const sandbox = await open({ timeout: 60 })
    await sandbox.execute('kept=1')
    for (const before of ['echo early', 'f() { echo early; }; f', 'x=(early); echo "${x[@]}"']) {
      for await (const event of sandbox.executeStreaming(`${before}; ${endless}`)) {
        expect(event).toEqual(out('early\n'))
        break
      }
      expect(await within(60, sandbox.execute('echo $kept'))).toEqual(result({ stdout: '1\n' }))
    }
    expect(sandbox.generation).toBe(1)
  })

  it('gives what execute gives', async () => {
    const files = { '/bytes': new Uint8Array([0xff, 0x0a]), '/text': 'é€😀\n' }
    const [sandbox, twin] = [await open({ files }), await open({ files })]
    for (const command of [
      'echo a; exit 3; echo b',
      'set -e; echo a; false; echo b',
      'trap "echo bye" EXIT; echo a; trap',
      'cat /text; echo é; cat /text; cat /text >&2',
      'cat /bytes; echo é',
      'echo a; nosuch; echo b',
      'f() { echo in; return 3; }; f; echo "$?"; (exit 4); echo "$?"',
      'echo a | { read x; echo "<$x>"; }; echo $PIPESTATUS',
      'echo a && echo b || echo c; ! true; echo "$?"',
      'cat <<E\nhere\nE\necho done',
      'eval "echo one; echo two"; bash -c "echo three; exit 2"; echo "$?"',
      'if',
      'echo a; x=$((1/0)); echo b',
      'exec >/tmp/o; echo hidden; exec >/dev/stdout; cat /tmp/o >&2',
    ]) {
      expect([command, whole(await collect(sandbox.executeStreaming(command)))]).toEqual([
        command,
        { ...(await twin.execute(command)), durationMs: expect.any(Number) },
      ])
      for (const one of [sandbox, twin]) await one.execute('set +e; trap - EXIT')
    }
  }, 120_000)

  it('gives the session what the command left', async () => {
    const sandbox = await open()
    await collect(sandbox.executeStreaming('cd /tmp; a=(1 2); f() { echo "f $1"; }; echo x'))
    expect(await sandbox.execute('pwd; echo "${#a[@]}"; f y')).toEqual(result({ stdout: '/tmp\n2\nf y\n' }))
    await collect(sandbox.executeStreaming('cd /; v=1; echo x', { env: { A: '1' } }))
    expect(await sandbox.execute('pwd; echo "<$v$A>"')).toEqual(result({ stdout: '/tmp\n<>\n' }))
  })

  it('keeps the bound of the output, for a reader that does not read as well', async () => {
    const sandbox = await open({ limits: { maxOutput: 1000 } })
    const command =
      'echo err >&2; for i in {1..50}; do echo 0123456789; done; seq 1 500; echo tail; echo tail >&2'
    const stream = sandbox.executeStreaming(command)
    const first = await stream.next()
    expect(first.value).toEqual(err('err\n'))
    await sandbox.execute('true') // The command has ended, and nothing was read.
    const { stdout, stderr } = whole([err('err\n') as ExecutionEvent, ...(await collect(stream))])
    expect(Buffer.byteLength(stdout)).toBe(1000)
    expect(stderr).toBe('err\ntail\nbash: stdout truncated: kept 1000 of 2447 bytes (limits.maxOutput)\n')
  })

  it('never splits a character', async () => {
    const sandbox = await open({ limits: { maxOutput: 10 } })
    const events = await collect(sandbox.executeStreaming('printf x; printf €€; printf €€'))
    expect(whole(events)).toMatchObject({ stdout: 'x€€€' })
    expect(JSON.stringify(events)).not.toContain('\ufffd')
  })

  it('yields the output of each statement of shell code as well, and gives what executeCode gives', async () => {
    const sandbox = await open()
    const code = 'echo a; x=(b); echo "${x[0]}" >&2\nfor i in 1 2; do echo $i; done; exit 3'
    for (const language of ['bash', 'sh']) {
      const expected = result({ exitCode: 3, stdout: 'a\n1\n2\n', stderr: 'b\n' })
      expect(await collect(sandbox.executeCodeStreaming(code, language))).toEqual([
        out('a\n'),
        err('b\n'),
        out('1\n2\n'),
        expected,
      ])
      expect(await sandbox.executeCode(code, language)).toEqual(expected)
    }
    const broken = await collect(sandbox.executeCodeStreaming('if', 'bash'))
    expect(whole(broken)).toEqual({
      ...(await sandbox.executeCode('if', 'bash')),
      durationMs: expect.any(Number),
    })
    for await (const event of sandbox.executeCodeStreaming(`echo early; ${endless}`, 'bash')) {
      expect(event).toEqual(out('early\n'))
      break
    }
    expect(await within(60, sandbox.execute('echo "${x[0]}-"'))).toEqual(result({ stdout: '-\n' }))
  })

  it('ends at the time limit with what came before', async () => {
    const sandbox = await open({ timeout: 1 })
    expect(whole(await collect(sandbox.executeStreaming(`echo a; ${endless}`)))).toEqual(
      result({ exitCode: 124, stdout: 'a\n', stderr: 'bash: stopped after 1 s\n', timedOut: true }),
    )
  })

  it('rejects at a timeout and an abort, after what came before', async () => {
    const sandbox = await open({ timeout: 60 })
    const seen: ExecutionEvent[] = []
    const read = async (options: { timeout?: number; signal?: AbortSignal }) => {
      for await (const event of sandbox.executeStreaming(`echo a; ${endless}`, options)) seen.push(event)
    }
    await expect(read({ timeout: 1 })).rejects.toMatchObject({ code: 'TIMEOUT', stdout: 'a\n', stderr: '' })
    const abort = new AbortController()
    const aborted = endOf(read({ signal: abort.signal }))
    await until(() => seen.length === 2)
    abort.abort()
    expect(await aborted).toMatchObject({ code: 'ABORTED' })
    expect(seen).toEqual([out('a\n'), out('a\n')])
    expect(await within(60, sandbox.execute('echo on'))).toEqual(result({ stdout: 'on\n' }))
  })

  it('rejects when the sandbox closes', async () => {
    const sandbox = await open({ timeout: 60 })
    const stream = sandbox.executeStreaming(`echo a; ${endless}`)
    await stream.next()
    await sandbox.close()
    expect(await endOf(stream.next())).toMatchObject({ code: 'CLOSED' })
  })
})
