import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { MirrorError, StrandsShellSandbox } from '../../../src/index.ts'

/** As a user of no rights: changes in a directory that may not be written. */
const NOBODY = 65_534
const [root = ''] = process.argv.slice(2)
const bound = `${root}/bound`
// A copy of the engine that this user may load.
const cache = `${root}/cache`
process.env['XDG_CACHE_HOME'] = cache
await new StrandsShellSandbox().execute('true')
if (existsSync(cache)) execFileSync('chown', ['-R', String(NOBODY), cache])
writeFileSync(`${bound}/a`, 'old')
for (const path of [root, bound, `${bound}/a`]) chownSync(path, NOBODY, NOBODY)
process.setgid?.(NOBODY)
process.setuid?.(NOBODY)

const sandbox = new StrandsShellSandbox({ binds: [{ source: bound, destination: '/work' }] })
await sandbox.open()

async function run(what: string, command: string): Promise<void> {
  try {
    console.log(`${what}: ${(await sandbox.execute(command)).exitCode}`)
  } catch (error) {
    if (!(error instanceof MirrorError)) throw error
    const pending = error.pending.map(({ path, reason }) => `${path}=${reason}`)
    console.log(`${what}: ${error.name} ${error.exitCode} ${pending.join(' ')}`)
  }
  const host = readdirSync(bound, { recursive: true, encoding: 'utf8' }).sort()
  const shown = host.map((rel) => {
    const stats = lstatSync(`${bound}/${rel}`)
    const text = () => readFileSync(`${bound}/${rel}`, 'utf8')
    return [rel, stats.isDirectory() ? `/${(stats.mode & 0o777).toString(8)}` : text()]
  })
  console.log(`host: ${JSON.stringify(Object.fromEntries(shown))}`)
}

chmodSync(bound, 0o555)
await run('unwritable', "rm /work/a; printf '%s' new > /work/b; exit 7")
chmodSync(bound, 0o755)
await run('writable', 'true')
await run(
  'protected',
  "cd /work; mkdir -p d/sub; printf '%s' in > d/in; printf '%s' deep > d/sub/deep; chmod 555 d/sub; chmod 555 d",
)
await run('changed in it', "cd /work; chmod 755 d d/sub; rm d/in; printf '%s' deeper > d/sub/deep")
await sandbox.close()
