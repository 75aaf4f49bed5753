import { describe, expect, it } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { once, runInChild } from './support/child.ts'
import { result } from './support/expected.ts'

describe.each(backends)('where the engine differs from a shell, and the runtime does not ($name)', quirks)

function quirks(backend: Backend): void {
  it.each([
    ['[ "$x" = $UNSET ]', '='],
    ['[ "$x" != $UNSET ]', '!='],
    ['[ 1 -eq $UNSET ]', '-eq'],
    ['[ a -nt $UNSET ]', '-nt'],
    ['test "$x" = $UNSET', '='],
    ['[ ! "$x" = $UNSET ]', '='],
    ['f() { [ a = $UNSET ]; }; f', '='],
    ['( [ a = $UNSET ] )', '='],
    ['eval "[ a = ]"', '='],
  ])('a missing operand is status 2 and a message, never a lost session: %s', async (command, operator) => {
    const sandbox = await backend.open()
    await sandbox.execute('x=1; kept=yes')
    for (const options of [undefined, { env: { SCOPED: '1' } }]) {
      const refused = await sandbox.execute(`${command}\necho "status $?"`, options)
      expect(refused).toEqual(result({ stdout: 'status 2\n', stderr: refused.stderr }))
      expect(refused.stderr).toContain(operator)
    }
    expect(await sandbox.execute('echo $kept')).toEqual(result({ stdout: 'yes\n' }))
    expect(sandbox.generation).toBe(1)
  })

  it('a missing operand in a condition takes the other branch', async () => {
    const sandbox = await backend.open()
    const { stdout } = await sandbox.execute(
      'if [ a = $UNSET ]; then echo yes; else echo no; fi; while [ a = $UNSET ]; do echo loop; done; echo end',
    )
    expect(stdout).toBe('no\nend\n')
  })

  it.each([
    ['[ a = a ]', 0],
    ['[ a = b ]', 1],
    ['[ a != b ]', 0],
    ['[ -n "" ]', 1],
    ['[ -z "" ]', 0],
    ['[ -n $UNSET ]', 0],
    ['[ ]', 1],
    ['[ = ]', 0],
    ['[ -f ]', 0],
    ['[ 2 -gt 1 ]', 0],
    ['[ "=" = "=" ]', 0],
    ['[ ! -e /nope ]', 0],
    ['[ -d /tmp ] && [ -f /tmp ]', 1],
    ['test a = a', 0],
    ['[ "$(echo a)" = "a" ]', 0],
    ['[ "a b" = "a b" ]', 0],
  ])('a test that is whole means what it says: %s', async (command, exitCode) => {
    const sandbox = await backend.open()
    expect(await sandbox.execute(command)).toEqual(result({ exitCode }))
  })

  it.each([
    ['set -euo pipefail; echo ok', { stdout: 'ok\n' }],
    ['set -o pipefail; echo ok', { stdout: 'ok\n' }],
    ['set -eo pipefail\necho ok', { stdout: 'ok\n' }],
    ['set -e -u -o pipefail\necho ok', { stdout: 'ok\n' }],
    ['set -euo pipefail\nfalse\necho no', { exitCode: 1 }],
    ['set -o pipefail\nfalse\necho yes', { stdout: 'yes\n' }],
    ['set +o pipefail; echo ok', { stdout: 'ok\n' }],
    ["echo 'set -euo pipefail'", { stdout: 'set -euo pipefail\n' }],
    ["cat <<'E'\nset -euo pipefail\nE", { stdout: 'set -euo pipefail\n' }],
    ['# set -euo pipefail\necho ok', { stdout: 'ok\n' }],
  ])('`set -o pipefail` is accepted, where it is one: %j', async (command, expected) => {
    const [plain, scoped] = [await backend.open(), await backend.open()]
    expect(await plain.execute(command)).toEqual(result(expected))
    expect(await scoped.execute(command, { env: { SCOPED: '1' } })).toEqual(result(expected))
  })

  it('a script with `set -euo pipefail` is written to a file as it is', async () => {
    const sandbox = await backend.open()
    await sandbox.execute(
      "cat > /tmp/script.sh <<'E'\n#!/bin/bash\nset -euo pipefail\necho 5 >> f\na \\\nb\nE",
    )
    expect(await sandbox.readText('/tmp/script.sh')).toBe(
      '#!/bin/bash\nset -euo pipefail\necho 5 >> f\na \\\nb\n',
    )
  })

  it.each([
    ['echo 5 >> /tmp/f; cat /tmp/f', '5\n'],
    ['echo 5 > /tmp/f; cat /tmp/f', '5\n'],
    ['echo 1 2 > /tmp/f; cat /tmp/f', '1 2\n'],
    ['echo 12 > /tmp/f; cat /tmp/f', '12\n'],
    ['echo a5 > /tmp/f; cat /tmp/f', 'a5\n'],
    ['x=5; echo $x > /tmp/f; cat /tmp/f', '5\n'],
    ['echo 5 | cat > /tmp/f; cat /tmp/f', '5\n'],
    ['for i in 1 2; do echo 7 >> /tmp/f; done; cat /tmp/f', '7\n7\n'],
    ['echo 2 2>/dev/null', '2\n'],
    ['echo to-stderr 1>&2', ''],
    ["echo '5 >> f'", '5 >> f\n'],
    ['echo "5 > f"', '5 > f\n'],
    ['nope 2>/tmp/f; wc -l < /tmp/f | tr -d " "', '1\n'],
    ['echo x 3>/tmp/f >&3; cat /tmp/f', 'x\n'],
  ])(
    'a digit is a word where a space follows it, and a descriptor where none does: %s',
    async (command, stdout) => {
      const sandbox = await backend.open()
      expect((await sandbox.execute(command)).stdout).toBe(stdout)
      const scoped = await backend.open()
      expect((await scoped.execute(command, { cwd: '/home/lash' })).stdout).toBe(stdout)
    },
  )

  it.each([
    ['echo a \\\n  b', 'a b\n'],
    ['echo a\\\nb', 'ab\n'],
    ['echo "a\\\nb"', 'ab\n'],
    ["echo 'a\\\nb'", 'a\\\nb\n'],
    ['echo a | \\\n  tr a-z A-Z', 'A\n'],
    ['true && \\\n echo b', 'b\n'],
    ['echo a \\\\\necho b', 'a \\\nb\n'],
    ['# a comment \\\necho b', 'b\n'],
    ["cat <<'E'\na \\\nb\nE", 'a \\\nb\n'],
    ['for i in 1 \\\n2; do echo $i; done', '1\n2\n'],
  ])('a backslash at the end of a line joins it with the next: %j', async (command, stdout) => {
    const sandbox = await backend.open()
    expect(await sandbox.execute(command)).toEqual(result({ stdout }))
    expect(await sandbox.execute(command, { cwd: '/tmp' })).toEqual(result({ stdout }))
  })

  it('bare `lua` is an error, and never runs what the host process has on its standard input', async () => {
    const end = await runInChild(
      {
        config: { isolation: backend.name, timeout: 1 },
        commands: ['lua', 'lua -i', "echo 'print(6 * 7)' | lua", "lua -e 'print(1)'", 'echo works'].map(once),
      },
      { input: 'print("from the host")\n' },
    )
    expect({ code: end.code, signal: end.signal }).toEqual({ code: 0, signal: null })
    const [bare, interactive, ...others] = end.report?.outcomes ?? []
    for (const outcome of [bare, interactive]) {
      expect(outcome).toMatchObject({ type: 'executionResult', stdout: '' })
      expect(outcome).not.toMatchObject({ exitCode: 0 })
    }
    expect(others).toEqual([
      result({ stdout: '42\n' }),
      result({ stdout: '1\n' }),
      result({ stdout: 'works\n' }),
    ])
  })

  it('no command and no code gets to read the host process’s standard input', async () => {
    const readers = ['cat', 'read x; echo "[$x]"', 'tr a-z A-Z', 'head -n1', 'lua -e "print(io.read())"']
    const { code, report } = await runInChild(
      { config: { isolation: backend.name, timeout: 2 }, commands: readers.map(once) },
      { input: 'from the host\n' },
    )
    expect([code, report?.outcomes.length]).toEqual([0, readers.length])
    expect(JSON.stringify(report).toLowerCase()).not.toContain('from the host')
    expect(report?.seconds.every((seconds) => seconds < 2)).toBe(true)
  })

  it.each([
    ['unset', {}],
    ['set by the user', { RUST_BACKTRACE: '1' }],
  ])(
    'a panic of the engine is a lost session with its cause, without a backtrace on the host’s standard error: RUST_BACKTRACE %s',
    async (_what, env) => {
      const { code, signal, report, stderr } = await runInChild(
        {
          config: { isolation: backend.name },
          commands: [once('find /tmp -maxdepth 0 -exec [ a = ] \\;'), once('echo next')],
        },
        { env },
      )
      expect({ code, signal, outcomes: report?.outcomes }).toEqual({
        code: 0,
        signal: null,
        outcomes: [{ code: 'WORKER_LOST', cause: 'ENGINE_PANIC' }, result({ stdout: 'next\n' })],
      })
      expect(stderr).not.toContain('stack backtrace')
    },
  )

  it('the guard of a missing operand outlives `unalias`, in the same command and in later ones', async () => {
    await using sandbox = await backend.open()
    const refused = result({ exitCode: 2, stderr: 'strands-shell: [: =: argument expected\n' })

    expect(await sandbox.execute('unalias -a; [ a = ]')).toEqual(refused)
    expect(await sandbox.execute('[ a = ]')).toEqual(refused)
    expect(await sandbox.execute('unalias -a; [ a = ]', { cwd: '/tmp' })).toEqual(refused)
    expect(sandbox.generation).toBe(1)
  })
}
