import { expect, it } from 'vitest'
import { SandboxClosedError, ShellHost } from '../../src/index.ts'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import type { EngineSandbox } from '../support/engines.ts'
import { result, timeless } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'

const closed = { name: 'SandboxClosedError', code: 'CLOSED' }

describeEngines('the life of a sandbox', lifecycle)

function lifecycle(engine: HostedEngine): void {
  it('creating a thousand sandboxes starts no worker', async () => {
    await using host = new ShellHost({ isolation: 'worker' })
    const sandboxes = Array.from({ length: 1000 }, () => engine.create({}, { host }))
    expect(new Set(sandboxes.map((sandbox) => sandbox.status))).toEqual(new Set(['new']))
    expect(host.stats()).toMatchObject({ workers: 0, leased: 0, idle: 0, retired: 0 })
  })

  it('the status is new, opening, open and closed in turn', async () => {
    const sandbox = engine.create()
    const seen = [sandbox.status]
    const opening = sandbox.open()
    seen.push(sandbox.status)
    await opening
    seen.push(sandbox.status)
    const closing = sandbox.close()
    seen.push(sandbox.status)
    await closing
    seen.push(sandbox.status)
    expect(seen).toEqual(['new', 'opening', 'open', 'closed', 'closed'])
  })

  it('open() resolves with undefined and opens one session, however often it is called', async () => {
    const sandbox = engine.create()
    expect(await Promise.all([sandbox.open(), sandbox.open()])).toEqual([undefined, undefined])
    await sandbox.setEnv('MARK', 'kept')
    await sandbox.open()
    expect(await sandbox.getEnv('MARK')).toBe('kept')
    expect(sandbox.generation).toBe(1)
  })

  it('the first call opens the session', async () => {
    const sandbox = engine.create()
    expect(await sandbox.execute('echo hello')).toEqual(result({ stdout: 'hello\n' }))
    expect(sandbox.status).toBe('open')
  })

  it('the static open() resolves with an open sandbox', async () => {
    const sandbox = await engine.openStatic({ isolation: engine.isolation, env: { GREETING: 'hi' } })
    expect([sandbox.status, await sandbox.getEnv('GREETING')]).toEqual(['open', 'hi'])
    await sandbox.close()
  })

  it('calls on a closed sandbox reject with CLOSED, each of them', async () => {
    const sandbox = await engine.open()
    await sandbox.close()
    const calls = [
      sandbox.open(),
      sandbox.execute('true'),
      sandbox.executeCode('', 'sh'),
      sandbox.executeStreaming('true').next(),
      sandbox.executeCodeStreaming('', 'sh').next(),
      sandbox.readFile('/tmp/a'),
      sandbox.writeFile('/tmp/a', new Uint8Array(1)),
      sandbox.removeFile('/tmp/a'),
      sandbox.listFiles('/tmp'),
      sandbox.readText('/tmp/a'),
      sandbox.writeText('/tmp/a', 'a'),
      sandbox.getEnv('HOME'),
      sandbox.setEnv('A', 'b'),
      sandbox.describe(),
    ]
    expect(await Promise.all(calls.map(factsOf))).toEqual(calls.map(() => closed))
  })

  it('close() is idempotent, also when called twice at once', async () => {
    const sandbox = await engine.open()
    expect(await Promise.all([sandbox.close(), sandbox.close()])).toEqual([undefined, undefined])
    await sandbox.close()
    expect(sandbox.status).toBe('closed')
  })

  it('a sandbox that was never opened can be closed and stays closed', async () => {
    const sandbox = engine.create()
    await sandbox.close()
    expect(sandbox.status).toBe('closed')
    expect(await factsOf(sandbox.open())).toEqual(closed)
  })

  it('close() while it opens rejects the opening with CLOSED', async () => {
    const sandbox = engine.create()
    const opening = factsOf(sandbox.open())
    await sandbox.close()
    expect(await opening).toEqual(closed)
    expect(sandbox.status).toBe('closed')
  })

  it('close() rejects the calls that run and those that wait with CLOSED', async () => {
    const sandbox = await engine.open({ timeout: 1 })
    const calls = [sandbox.execute('sleep 0.3; true'), sandbox.execute('true'), sandbox.listFiles('/')]
    const facts = calls.map(factsOf)
    await sandbox.close()
    expect(await Promise.all(facts)).toEqual([closed, closed, closed])
  })

  it('`await using` closes the sandbox at the end of the block', async () => {
    let kept: EngineSandbox
    {
      await using sandbox = await engine.openStatic({ isolation: engine.isolation })
      kept = sandbox
      expect(kept.status).toBe('open')
    }
    expect(kept.status).toBe('closed')
    expect(await failureOf(kept.execute('true'))).toBeInstanceOf(SandboxClosedError)
  })

  it('two sandboxes share no directory, variables, files or aliases', async () => {
    const [one, other] = await Promise.all([engine.open(), engine.open()])
    const look = 'pwd; echo "[$SECRET]"; ls /tmp; alias; set | grep -v "^SECONDS="'
    const before = await other.execute(look)
    await one.execute('cd /tmp; SECRET=one; echo one > /tmp/file; alias hi="echo hi"')
    expect(await other.execute(look)).toEqual(timeless(before))
  })

  it('a sandbox shows nothing of a closed one that used its worker before', async () => {
    const fresh = await engine.open()
    const pristine = await fresh.execute(
      'set | grep -v "^SECONDS="; pwd; umask; alias; ls -l / /tmp ~ | grep -v "proc$"; echo "$-$#"',
    )
    await fresh.execute(
      'cd /tmp; A=b; umask 077; alias ll=ls; set -eu; set -- 1 2; f() { echo f; }; echo x > /tmp/x',
    )
    await fresh.writeText(`${engine.fresh.home}/y`, 'y')
    await fresh.close()
    const next = await engine.open()
    const again = await next.execute(
      'set | grep -v "^SECONDS="; pwd; umask; alias; ls -l / /tmp ~ | grep -v "proc$"; echo "$-$#"',
    )
    expect({ ...again, stdout: withoutTimes(again.stdout) }).toEqual({
      ...timeless(pristine),
      stdout: withoutTimes(pristine.stdout),
    })
    expect((await next.execute('f')).exitCode).toBe(127)
  })

  it('a sandbox whose opening failed has status new and opens once the cause is removed', async () => {
    const sandbox = engine.create({
      credentials: [{ url: 'http://api.example.com', envVar: 'BEHAVIOUR_TOKEN' }],
    })
    Reflect.deleteProperty(process.env, 'BEHAVIOUR_TOKEN')
    expect(await factsOf(sandbox.open())).toEqual({
      name: 'SandboxConfigError',
      code: 'INVALID_CONFIG',
      field: 'credentials[0].envVar',
    })
    expect(sandbox.status).toBe('new')
    process.env['BEHAVIOUR_TOKEN'] = 'token-of-the-behaviour-suite'
    try {
      await sandbox.open()
    } finally {
      Reflect.deleteProperty(process.env, 'BEHAVIOUR_TOKEN')
    }
    expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
  })
}

function withoutTimes(listing: string): string {
  return listing.replaceAll(/[A-Z][a-z]{2} [ \d]\d \d\d:\d\d/g, 'TIME')
}
