import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRELUDE, preludeOf } from '../../../../../worker/engines/strands/guards/prelude.ts'
import { Engine, printed } from './engine.ts'

describe('a session after the prelude', () => {
  let engine: Engine
  beforeAll(() => {
    engine = Engine.start()
  })
  afterAll(() => engine.stop())

  it('shows no trace but the two aliases', async () => {
    const plain = await engine.shell()
    const guarded = await engine.guardedShell()
    for (const command of [
      'set',
      'env',
      'ls -a /tmp /home/lash',
      'pwd',
      'echo "$? $# $-"',
      'trap',
      'umask',
    ]) {
      expect(await guarded.run(command)).toEqual(await plain.run(command))
    }
    expect(await guarded.run('alias')).toEqual(printed("[='__ssr_bracket'\ntest='__ssr_test'\n"))
  })

  it('keeps its guards in a subshell, in eval and under set -eu', async () => {
    const shell = await engine.guardedShell()
    const refused = 'strands-shell: [: =: argument expected\n'
    for (const command of ['(set -eu; [ a = ])', 'eval "[ a = ]"', 'set -eu; [ a = ]', '[ a = ]']) {
      expect(await shell.run(command)).toEqual({ status: 2, stdout: '', stderr: refused })
    }
  })

  it('keeps its guards from the aliases of the session', async () => {
    const shell = await engine.guardedShell()
    const before = await shell.run('[ a = ]')
    await shell.run('alias printf=false cat=false rm=false mktemp=false lua=false eval=false')
    expect(await shell.run('[ a = ]')).toEqual(before)
    expect(await shell.run("echo 'print(1)' | __ssr_lua; ls /tmp")).toEqual(printed('1\n'))
  })
})

it('tries the guards where a limit may keep them from running, and otherwise leads to them at once', async () => {
  for (const limits of [{ maxDepth: 3 }, { maxOutput: 1, maxFds: 8 }])
    expect(preludeOf({ limits })).toBe(PRELUDE)
  expect(preludeOf({ limits: {}, timeout: 0.5 })).toBe(PRELUDE)
  expect(preludeOf({ limits: {}, configFile: '/a.toml' })).toBe(PRELUDE)
  const untried = preludeOf({ limits: { maxOutput: 1, maxFileSize: 1, maxInodes: 1 }, timeout: 30 })
  expect(untried).not.toBe(PRELUDE)
  const engine = Engine.start()
  try {
    const [tried, led] = [await engine.guardedShell(), await engine.shell()]
    await led.run(untried)
    for (const command of ['echo $?', 'alias', 'set', '[ a = ]', 'test a = a && [ -e /tmp ]'])
      expect(await led.run(command)).toEqual(await tried.run(command))
  } finally {
    await engine.stop()
  }
})
