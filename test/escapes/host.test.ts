import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { once, runInChild } from '../strands-shell/support/child.ts'
import { tierLevels } from '../support/describe-engines.ts'
import { engines } from '../support/engines.ts'
import { SECRET } from './support/attempts.ts'

/** What is tried on the process that holds the sandbox: whose input, environment and descriptors hold the secret. */
const attempts: readonly (readonly [name: string, why: string, how: string])[] = [
  ['standard input', 'commands inherit it', 'cat; read x; echo "$x"; head -n 1; cat -; sort; tee /tmp/t'],
  ['standard input by its number', 'as above', 'cat <&0; cat 0<&0; read x <&0; echo "$x"'],
  ['standard input by its name', 'as above', 'cat /dev/stdin /dev/fd/0 /proc/self/fd/0 /dev/tty'],
  [
    'standard input of lua',
    'it has its own',
    `lua -e 'print(io.read("a"))'; lua -e 'for l in io.lines() do print(l) end'`,
  ],
  ['lua without a script', 'it reads one from there', 'lua'],
  [
    'standard input of jq and xargs',
    'they read',
    'jq .; jq -R .; xargs echo; while read -r l; do echo "$l"; done',
  ],
  [
    'other descriptors',
    'they are open in the process',
    'for n in 3 4 5 6 7 8 9 10 11 12 15 20 21 22; do eval "cat <&$n"; done',
  ],
  [
    'writing to descriptors',
    'they lead to files and sockets',
    'for n in 3 4 5 6 7 8 9 10 11 12 15 20; do eval "echo garbage >&$n"; done',
  ],
  [
    'its own output, by the process',
    'it goes past the result',
    'echo garbage > /dev/stdout; echo garbage > /proc/self/fd/1; echo garbage > /dev/tty',
  ],
  ['the environment', 'commands inherit it', 'env; set; echo "$HOST_SECRET"; export -p; jq -n env'],
  ['the environment of lua', 'it asks the process', `lua -e 'print(os.getenv("HOST_SECRET"))'`],
  ['the environment as a file', '/proc has it', 'cat /proc/self/environ /proc/1/environ /proc/*/environ'],
  ['the command line', '/proc has it', 'cat /proc/self/cmdline /proc/*/cmdline; ps; ls /proc'],
  [
    'programs of the host',
    'they run outside',
    '/bin/sh -c "echo ran"; /usr/bin/env; node -v; sh -c env; command sh; exec /bin/sh',
  ],
  [
    'programs of the host, by lua',
    'it starts them',
    `lua -e 'os.execute("/usr/bin/env")'; lua -e 'io.popen("/usr/bin/env")'`,
  ],
  ['signals', 'the process has a number', 'kill -9 $$; kill -9 $PPID; kill -9 1; kill -9 -1; kill 0'],
  ['the end of the process', 'they end it', 'exit 99'],
  ['the end of the process, by lua', 'os.exit ends it', `lua -e 'os.exit(99, true)'`],
  ['the end of the process, by jq', 'halt ends it', `jq -n 'halt'; jq -n '"x" | halt_error(99)'`],
  ['the mask of new files', 'a process has one', 'umask 777; echo x > /tmp/u'],
  ['limits', 'a process has them', 'ulimit -n 1; ulimit -v 1; ulimit -c unlimited'],
  ['the working directory', 'a process has one', 'cd /; cd /tmp; cat package.json ../package.json'],
  ['the clock', 'it is the machine’s', 'date -s 2000-01-01; date --set 0'],
  [
    'the library path',
    'children read it',
    'export LD_PRELOAD=/tmp/x.so NODE_OPTIONS=--inspect PATH=/tmp; ls',
  ],
]

/** Every engine at the levels of the tier. */
const places = engines.flatMap(({ name, levels = tierLevels }) =>
  tierLevels.filter((level) => levels.includes(level)).map((level) => [name, level] as const),
)

describe.each(places)('the process that holds a sandbox (%s, %s)', (engine, isolation) => {
  it('shows nothing of itself, and lives', async () => {
    const commands = [...attempts.map(([, , how]) => once(how)), once('echo lives; umask')]
    const end = await runInChild(
      { engine, config: { isolation, timeout: 5 }, commands },
      { input: `${SECRET}\nprint("${SECRET}")\n`.repeat(100), env: { HOST_SECRET: SECRET } },
    )
    const { report, stderr } = end
    const outcomes = report?.outcomes ?? []
    const seen = attempts.map(([name], index) => [name, JSON.stringify(outcomes[index] ?? 'no outcome')])
    expect(seen.filter(([, text]) => text?.includes(SECRET) || text?.includes('no outcome'))).toEqual([])
    expect(seen.filter(([, text]) => /"code":|\\nran|NODE_|"stdout":"v\d/.test(text ?? ''))).toEqual([])
    expect({ code: end.code, signal: end.signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
    expect(outcomes.at(-1)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^lives\n/) })
  })
})

it('an ordinary shell shows all of that (the control)', () => {
  const env = { HOST_SECRET: SECRET, PATH: '/bin:/usr/bin' }
  const shell = (how: string, input = '') =>
    execFileSync('/bin/sh', ['-c', how], { input, env, encoding: 'utf8' })
  const said = [shell('cat', SECRET), shell('cat; echo "$HOST_SECRET"'), shell('cat; cat /proc/self/environ')]
  expect(said.filter((text) => !text.includes(SECRET))).toEqual([])
})
