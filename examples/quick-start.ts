// Opens a sandbox, runs commands in its session, and moves files in and out.
import { ShellHost } from 'strands-shell-runtime'

// The host runs sandboxes in child processes. It closes them when this program ends.
await using host = new ShellHost()
const sandbox = await host.open({ env: { GREETING: 'hello' } })

// The session keeps its directory, variables and files from call to call.
await sandbox.execute('mkdir -p /tmp/work && cd /tmp/work && who=world')
const greeting = await sandbox.execute('echo "$GREETING $who, from $(pwd)"')
console.log('stdout:', greeting.stdout.trimEnd())

// A command that fails is a result, not an error.
const missing = await sandbox.execute('cat nothing.txt')
console.log('exit code:', missing.exitCode, 'stderr:', missing.stderr.trimEnd())

// A call with cwd or env is scoped: only its files stay.
const scoped = await sandbox.execute('echo "$GREETING" | tee scoped.txt', {
  cwd: '/tmp',
  env: { GREETING: 'hi' },
})
console.log(
  'scoped:',
  scoped.stdout.trimEnd(),
  'and then:',
  (await sandbox.execute('echo "$GREETING"')).stdout.trimEnd(),
)

await sandbox.writeText('/tmp/work/people.json', JSON.stringify([{ name: 'Ada' }, { name: 'Grace' }]))
const names = await sandbox.execute("jq -r '.[].name' people.json | sort -r > names.txt")
console.log(
  'jq:',
  names.exitCode,
  'names:',
  (await sandbox.readText('/tmp/work/names.txt')).trimEnd().split('\n'),
)

const program = await sandbox.executeCode('for n = 1, 3 do io.write(n * n, " ") end', 'lua')
console.log('lua:', program.stdout.trimEnd())
