import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { ShellHost, Snapshot, type StrandsShellSandbox } from '../../src/index.ts'
import { cases } from '../support/tier.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const name = fc.constantFrom('a', 'b', 'c', 'x1', 'long_name')
const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a\nb=1',
    "it's",
    '"$HOME"',
    '\\',
    '*',
    '-n',
    'é😀',
    'a\tb',
    "'''",
    '$(echo no)',
    '#',
  ),
  fc.string({ maxLength: 12, unit: fc.constantFrom(...'ab \'"\\$`\n=*{}();&|<>~#é') }),
)
const path = fc.constantFrom('f', 'g h', 'd/f', 'd/e/g', "it's", 'new\nline', '-x', 'é')
const mode = fc.constantFrom('600', '755', '000', '4711', '444')
const command = fc.oneof(
  fc.tuple(name, text).map(([to, value]) => `${to}=${quoted(value)}`),
  name.map((one) => `export ${one}=1; readonly r_${one}=${one}`),
  name.map((one) => `unset ${one}`),
  fc.tuple(name, text).map(([to, value]) => `alias al_${to}=${quoted(value)}`),
  fc.constantFrom(
    'unalias al_a',
    'set -e',
    'set +e',
    'set -u',
    'set +u',
    'set -o pipefail',
    'cd d',
    'cd ..',
    'cd /tmp',
  ),
  fc.array(text, { maxLength: 3 }).map((words) => `set -- ${words.map(quoted).join(' ')}`),
  fc.constantFrom('umask 077', 'umask 022', '(exit 7)', 'false'),
  fc.tuple(path, text).map(([to, value]) => `mkdir -p d/e; printf %s ${quoted(value)} > ./${quoted(to)}`),
  fc.tuple(path, mode).map(([to, bits]) => `chmod ${bits} ./${quoted(to)}`),
  path.map((one) => `rm -rf ./${quoted(one)}`),
  path.map((one) => `ln -s ./${quoted(one)} link`),
  fc
    .tuple(name, text)
    .map(([to, value]) => `fn_${to}() { printf '%s.' ${quoted(value)} "$1" | cat; echo "$#"; }`),
  name.map(
    (to) =>
      `if [ "$a" ]; then fn_${to}() { echo "has $a"; }; else fn_${to}() { echo has none; return 3; }; fi`,
  ),
  name.map((to) => `fn_${to}() { fn_a() { echo inner; }; }; fn_${to}`),
  name.map((to) => `unset -f fn_${to}`),
  name.map((to) => `exit 3; fn_${to}() { echo never; }`),
  name.map((to) => `eval 'fn_${to}() { echo of eval; }'`),
)

/** What can be seen of a session by commands, apart from functions. */
async function seen(sandbox: StrandsShellSandbox) {
  const look = `printf '%s|' "$?" "$#" "$@"; pwd; umask; alias; set | grep -v ^__ssr_`
  const { stdout } = await sandbox.execute(look)
  const after = await sandbox.execute('false | true; echo pipe $?')
  const ends = await sandbox.execute('(false; echo goes on); echo "$none"')
  await sandbox.execute('set +eu')
  const { stdout: listed } = await sandbox.execute(
    'cd /; ls -la /home/lash /tmp /home/lash/d /home/lash/d/e | cut -c1-28',
  )
  const files: [string, string][] = []
  const found = (await sandbox.execute("find /home/lash /tmp -type f -exec printf '%s\\0' '{}' ';'")).stdout
  for (const file of found.split('\0').slice(0, -1))
    files.push([file, Buffer.from(await sandbox.readFile(file)).toString()])
  return { stdout, after, ends: [ends.stdout, ends.stderr], listed, files: files.sort() }
}

async function called(sandbox: StrandsShellSandbox, one: string) {
  const { exitCode, stdout, stderr } = await sandbox.execute(`fn_${one} 1 2`)
  return [exitCode, stdout, stderr]
}

it('a session and one that opened with its snapshot are the same to commands', async () => {
  const host = new ShellHost({ isolation: 'shared' })
  onTestFinished(() => host.close())
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
      const first = await host.open()
      for (const one of commands) await first.execute(one)
      const snapshot = await first.snapshot()
      const second = await host.open({}, { snapshot: await Snapshot.from(await snapshot.toBytes()) })
      const [{ after, ...own }, { after: later, ...others }] = [await seen(first), await seen(second)]
      expect(others).toEqual(own)
      expect([later.exitCode, later.stdout]).toEqual([after.exitCode, after.stdout])
      const omitted = new Set(
        snapshot.omitted.filter(({ kind }) => kind === 'function').map((part) => part.name),
      )
      for (const one of ['a', 'b', 'c', 'x1', 'long_name']) {
        const there = await called(second, one)
        if (omitted.has('*') || omitted.has(`fn_${one}`)) expect(there[0]).toBe(127)
        else expect(there).toEqual(await called(first, one))
      }
      await Promise.all([first.close(), second.close()])
    }),
    { numRuns: cases(16) },
  )
})
