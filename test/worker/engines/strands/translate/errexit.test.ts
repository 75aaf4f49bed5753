// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

const inside = 'f() { false; echo in; return 3; }'

/** A script with `set -e`, its output and its status in bash. */
const SCRIPTS: readonly (readonly [script: string, stdout: string, status?: number])[] = [
  [`${inside}; f || echo "x$?"; ! f; if ! f; then echo n; fi; echo on`, 'in\nx3\nin\nin\nn\non\n'],
  [`${inside}; f && echo no; true && f && echo no; echo on`, 'in\nin\non\n'],
  [`${inside}; true && f; echo no`, '', 1],
  ['{ false; echo in; } || echo x; { false; } || echo x; echo on', 'in\nx\non\n'],
  ['( false; echo in ) || echo x; (exit 3) && echo no; echo on', 'in\non\n'],
  ['for i in 1 2; do [ $i = 1 ] && echo $i; done; echo on', '1\non\n'],
  ['for i in 1; do [ $i = 2 ] && echo no; false; echo no; done; echo no', '', 1],
  ['if true; then false && :; fi; case a in a) false && true ;; esac; echo on', 'on\n'],
  ['while read -r x; do [ "$x" = b ] && echo $x; done <<< a; { [ a = b ] && echo; }; echo on', 'on\n'],
  ['for i in 1; do false || false; done; echo no', '', 1],
  ['( for i in 1; do false && :; done ); echo no', '', 1],
  ['f() { for i in 1; do false && :; done; }; f; echo no', '', 1],
  ['! { true; }; ! true; ! true || echo q; cd / && ! [[ a == a ]]; echo on', 'q\non\n'],
  [`${inside}; x=$(f) || echo "$? $x"; echo "$(false; echo a)"; x=$(f); echo no`, '3 in\na\n', 3],
]

it('a function of an earlier command that sets -e is refused where its status is asked for', async () => {
  await using sandbox = await host.open()
  await sandbox.execute('f() { set -e; false; echo on; }')
  const { exitCode, stderr } = await sandbox.execute('f || echo x')
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'strands-shell: set -e in what &&, ||, if, while or ! ask is not available here: use && between the commands, or use a BashSandbox\n',
  })
})

it.each(SCRIPTS)('set -e; %s', async (...[script, stdout, status]) => {
  await using sandbox = await host.open()
  const { stdout: printed, exitCode } = await sandbox.execute(`set -e; ${script}`)
  expect({ printed, exitCode }).toEqual({ printed: stdout, exitCode: status ?? 0 })
})

it('a directory that cannot be made is told of before the script ends', async () => {
  await using sandbox = await host.open()
  const { exitCode, stderr } = await sandbox.execute('set -e; mkdir -p /nowhere/here; echo on')
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'strands-shell: mkdir: permission denied\n' })
})
