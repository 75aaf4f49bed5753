import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
})
