import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SandboxError, SessionLoss, ShellHost, type Isolation, type HostedSandbox } from '../../../src/index.ts'

const [fault = '', directory = ''] = process.argv.slice(2)
const levels: readonly Isolation[] = ['worker', 'shared', 'process']
const shells = ['bash', 'strands'] as const
const disk = join(directory, 'disk')
mkdirSync(disk)
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
const mountDisk = () => { run('mount', '-t', 'tmpfs', '-o', 'size=2m,mode=1777', 'tmpfs', disk); process.env['TMPDIR'] = disk }

function fill(): void {
  const rest = Buffer.alloc(2 ** 20)
  for (let size = rest.length; size >= 1; size = Math.floor(size / 2)) {
    try { for (let file = 0; ; file++) writeFileSync(join(disk, `fill-${size}-${file}`), rest.subarray(0, size)) } catch {}
  }
}
const faults: Record<string, { begin?: () => void; strike: () => void; lift: () => void }> = {
  disk: { begin: mountDisk, strike: fill, lift: () => { for (const n of readdirSync(disk)) if (n.startsWith('fill-')) rmSync(join(disk, n)) } },
  inodes: { begin: () => { run('mount', '-t', 'tmpfs', '-o', 'size=2m,mode=1777,nr_inodes=20', 'tmpfs', disk); process.env['TMPDIR'] = disk }, strike: () => { try { for (let i = 0; ; i++) writeFileSync(join(disk, `fill-${i}`), '') } catch {} }, lift: () => { for (const n of readdirSync(disk)) if (n.startsWith('fill-')) rmSync(join(disk, n)) } },
  readonly: { begin: mountDisk, strike: () => run('mount', '-o', 'remount,ro', disk), lift: () => run('mount', '-o', 'remount,rw', disk) },
  proc: { strike: () => run('mount', '-t', 'tmpfs', 'tmpfs', '/proc'), lift: () => run('umount', '/proc') },
  memory: { strike: () => run('prlimit', '--pid', String(process.pid), `--as=${process.argv[4]}:`), lift: () => run('prlimit', '--pid', String(process.pid), '--as=unlimited:') },
}
const it = faults[fault]!
const out: Record<string, unknown> = {}
async function word(call: Promise<unknown>): Promise<string> {
  const begun = performance.now()
  const took = () => performance.now() - begun > 3000 ? ` ${Math.round(performance.now() - begun)}ms` : ''
  try { const v: any = await call; return (v?.exitCode === undefined ? 'done' : `${v.exitCode} ${v.stdout.trim().slice(0,80)}${v.stderr ? ' ! ' + v.stderr.trim().slice(0,200) : ''}`) + took() } catch (error) {
    if (!(error instanceof SandboxError)) return `RAW ${String(error)}` + took()
    return `${error.code} ${error.cause instanceof SessionLoss ? error.cause.code : ''} :: ${error.message.slice(0, 300)} ${(error.cause as any)?.output ?? ""}` + took()
  }
}
const subjects = levels.flatMap((level) => shells.map((shell) => ({ level, shell })))
process.on('unhandledRejection', (e) => console.log('UNHANDLED', e))
it.begin?.()
const hosts = new Map(subjects.map(({ level }) => [level, new ShellHost({ isolation: level, maxSandboxes: 16, sandboxesPerWorker: level === 'worker' ? 1 : 4 } as any)]))
const open = (level: Isolation, shell: 'bash' | 'strands', source?: string): Promise<HostedSandbox> => hosts.get(level)!.open({ shell, files: {'/tmp/mark': 'kept'}, binds: source ? [{ source, destination: '/work' }] : [] } as any)
const once = async (level: Isolation, shell: 'bash' | 'strands') => { const s = await open(level, shell); try { return await s.execute('cat /tmp/mark') } finally { await s.close() } }
const set = (k: string, v: unknown) => { out[k] = v; console.log(k, '=>', v) }
it.strike()
for (const { level, shell } of subjects) set(`first ${level} ${shell}`, await word(once(level, shell)))
it.lift()
for (const { level, shell } of subjects) set(`lifted ${level} ${shell}`, await word(once(level, shell)))
const kept = new Map<string, HostedSandbox>()
for (const { level, shell } of subjects) { const s = await open(level, shell, mkdtempSync(join(disk, 'bind-'))).catch((e) => { console.log('open failed', String(e)); return undefined }); if (s) { kept.set(`${level} ${shell}`, s); await s.execute('echo kept > /tmp/mark; echo a > /work/a') } }
it.strike()
for (const { level, shell } of subjects) {
  const key = `${level} ${shell}`
  const s = kept.get(key)
  if (!s) continue
  set(`${key} execute`, await word(s.execute('cat /tmp/mark')))
  set(`${key} program`, await word(s.execute('printf "b\\na\\n" | sort | tac | head -n1; [ -e /work/a ] && date +%Y')))
  set(`${key} write`, await word(s.writeFile('/tmp/f', Buffer.alloc(100_000))))
  set(`${key} bind out`, await word(s.execute('for i in 1 2 3 4 5 6 7 8 9 0; do printf "%0500d" 1 >> /tmp/t; done; cat /tmp/t /tmp/t > /work/new; echo said')))
  set(`${key} bind write`, await word(s.writeFile('/work/f', Buffer.alloc(100_000))))
  set(`${key} bind read`, await word(s.readFile('/work/a')))
  set(`${key} open`, await word(once(level, shell)))
  set(`${key} run`, await word(hosts.get(level)!.run('echo ran', { shell } as any)))
}
it.lift()
for (const { level, shell } of subjects) {
  const key = `${level} ${shell}`
  const s = kept.get(key)
  if (!s) continue
  set(`${key} after`, await word(s.execute('cat /tmp/mark; cat /work/new | wc -c')))
  set(`${key} after write`, await word(s.writeFile('/work/f', Buffer.alloc(10_000))))
  set(`${key} after open`, await word(once(level, shell)))
}
for (const host of hosts.values()) await host.close()
console.log('END')
