import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExecutionResult, type HostedSandbox, SandboxError, ShellHost } from '../../../src/index.ts'
import { codesOf, type FileSystemFault, type Struck, type SystemWords } from '../matrix/system-faults.ts'
import { empty, fill, mountSmallDisk, remount } from '../small-disk.ts'

/** A process in a mount namespace of its own: what its files are on refuses something, then does so no more, twice. */
const [fault = '', directory = '', subjects = ''] = process.argv.slice(2)
const struck: readonly Struck[] = JSON.parse(subjects)
const disk = join(directory, 'disk')
mkdirSync(disk)
mountSmallDisk(disk)
process.env['TMPDIR'] = disk

interface Acts {
  readonly strike: () => void
  readonly lift: () => void
  /** True where it lasts from the start of the process until the end. */
  readonly lasts?: boolean
}

const faults: Readonly<Record<FileSystemFault, Acts>> = {
  full: { strike: () => fill(disk), lift: () => empty(disk) },
  'read-only': {
    strike: () => remount(disk, 'ro'),
    lift: () => remount(disk, 'rw'),
  },
  'no proc': {
    strike: () => execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/proc']),
    lift: () => execFileSync('umount', ['/proc']),
    lasts: true,
  },
}

async function wordOf(call: Promise<ExecutionResult | undefined>): Promise<string> {
  try {
    const status = (await call)?.exitCode ?? 0
    return status === 0 ? 'done' : `status ${status}`
  } catch (error) {
    return error instanceof SandboxError ? codesOf(error) : `raw ${String(error)}`
  }
}

const acts = faults[fault as FileSystemFault]
const hosts = struck.map(([isolation]) => new ShellHost({ hardening: 'none', isolation }))
const sources = struck.map(() => mkdtempSync(join(disk, 'bind-')))

async function open(index: number): Promise<HostedSandbox> {
  const [, shell = 'bash'] = struck[index] ?? []
  const source = sources[index] ?? ''
  const files = { '/tmp/mark': 'kept' }
  const binds = [{ source, destination: '/work' }]
  const host = hosts[index]
  const sandbox = await (shell === 'jail'
    ? host?.open({ shell, files, binds })
    : host?.open({ shell, files, binds }))
  if (sandbox === undefined) throw new TypeError('There is no such host.')
  return sandbox
}

async function once(index: number): Promise<ExecutionResult> {
  const sandbox = await open(index)
  const result = await sandbox.execute('grep kept /tmp/mark')
  await sandbox.close()
  return result
}

async function duringOf(sandbox: HostedSandbox, index: number): Promise<Omit<SystemWords, 'afterwards'>> {
  return {
    open: await wordOf(once(index)),
    command: await wordOf(sandbox.execute('grep kept /tmp/mark')),
    'command that writes to a bind': await wordOf(sandbox.execute('printf text > /work/a')),
    '`writeFile()` into a bind': await wordOf(sandbox.writeText('/work/b', 'text').then(() => undefined)),
  }
}

/** What fails then, or `done`. */
async function afterwardsOf(sandbox: HostedSandbox, index: number): Promise<string> {
  const words = [
    await wordOf(sandbox.execute('grep kept /tmp/mark && printf text > /work/a')),
    await wordOf(sandbox.writeText('/work/b', 'text').then(() => undefined)),
    await wordOf(once(index)),
  ]
  const failed = words.find((word) => word !== 'done')
  if (failed !== undefined) return failed
  const texts = ['a', 'b'].map((name) => readFileSync(join(sources[index] ?? '', name), 'utf8'))
  return texts.every((text) => text === 'text') ? 'done' : `wrote ${texts.join(' and ')}`
}

const all = <T>(of: (index: number) => Promise<T>) => Promise.all(struck.map((_, index) => of(index)))
acts.strike()
const first = await all((index) => wordOf(once(index)))
// Without /proc no jail is made, and the disk of one is in use.
const isBefore = fault !== 'full' && struck.some(([, shell]) => shell === 'jail')
if (acts.lasts !== true || isBefore) acts.lift()
const sandboxes = await all(open)
if (acts.lasts !== true && !isBefore) acts.strike()
const during = isBefore ? first.map((word) => ({ open: word })) : await Promise.all(sandboxes.map(duringOf))
if (!isBefore) acts.lift()
const afterwards = await Promise.all(sandboxes.map(afterwardsOf))
await Promise.all(hosts.map((host) => host.close()))
console.log(
  JSON.stringify(
    during.map((words, index) => ({ ...words, first: first[index], afterwards: afterwards[index] })),
  ),
)
