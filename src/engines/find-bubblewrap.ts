import type { StdioOptions } from 'node:child_process'
import { access, constants, open, readFile } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { outsideRequests } from '../async/outside-requests.ts'
import { bubblewrapArguments } from '../bubblewrap/arguments.ts'
import { type BubblewrapFault, bubblewrapFault, notInstalled } from './bubblewrap-fault.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { systemMounts } from './system-mounts.ts'

/** What jails are made with. */
export interface Bubblewrap {
  /** The absolute path of `bwrap`. */
  readonly program: string
  /** The path of the seccomp filter for this architecture. */
  readonly filter: string
}

/** Whether this machine can have jails. */
export type BubblewrapFinding =
  | ({ readonly ok: true } & Bubblewrap)
  | ({ readonly ok: false } & BubblewrapFault)

/** Milliseconds that the probe may take. */
const probeTimeout = 10_000

let found: Promise<BubblewrapFinding> | undefined

/**
 * Finds bubblewrap, and runs `true` in a jail with it, once a process. That there is none is not kept: the next call looks
 * again.
 */
export function resolveBubblewrap(): Promise<BubblewrapFinding> {
  if (found === undefined) {
    const search = outsideRequests(() => findBubblewrap())
    found = search
    const forget = () => {
      if (found === search) found = undefined
    }
    search.then(({ ok }) => ok || forget(), forget)
  }
  return found
}

/** {@link resolveBubblewrap}, without memory. @param path - the directories that are searched, as in `PATH`. */
export async function findBubblewrap(path?: string): Promise<BubblewrapFinding> {
  const located = await locateBubblewrap(path)
  return located.ok ? await proveBubblewrap(located) : located
}

/** Looks where bubblewrap is, and runs nothing. @param path - the directories that are searched, as in `PATH`. */
export async function locateBubblewrap(path: string = process.env['PATH'] ?? ''): Promise<BubblewrapFinding> {
  if (process.platform !== 'linux') {
    return { ok: false, reason: `Jails need Linux; this is ${process.platform}.`, remedy: 'Use Linux.' }
  }
  const filter = seccompFilter()
  if (filter === undefined || !(await can(filter, constants.R_OK))) {
    return {
      ok: false,
      reason: `There is no seccomp filter for ${process.arch} beside this code.`,
      remedy: 'Use x64 or arm64, and load strands-shell-runtime from its package, not from a bundle.',
    }
  }
  const program = await programIn(path)
  return program === undefined ? { ok: false, ...notInstalled } : { ok: true, program, filter }
}

/** Runs `true` in a jail, and tells why where that does not work. */
export async function proveBubblewrap({ program, filter }: Bubblewrap): Promise<BubblewrapFinding> {
  const printed = await probe({ program, filter })
  if (printed === undefined) return { ok: true, program, filter }
  return { ok: false, ...bubblewrapFault(printed, await kernelFacts()) }
}

async function programIn(path: string): Promise<string | undefined> {
  for (const directory of path.split(delimiter)) {
    const program = join(directory, 'bwrap')
    if (isAbsolute(directory) && (await can(program, constants.X_OK))) return program
  }
  return undefined
}

/** Runs `true` in a full jail. @returns undefined where that works, else what was printed. */
async function probe(bubblewrap: Bubblewrap): Promise<string | undefined> {
  const seccompFd = 3
  const args = bubblewrapArguments({
    mounts: [
      ...(await systemMounts()),
      { kind: 'proc', destination: '/proc' },
      { kind: 'dev', destination: '/dev' },
      { kind: 'tmpfs', destination: '/tmp', size: 2 ** 20 },
    ],
    network: 'none',
    user: { uid: 1000, gid: 1000 },
    hostname: 'jail',
    directory: '/',
    environment: { PATH: '/usr/bin:/bin' },
    seccompFd,
    command: ['true'],
  })
  return tryJail(bubblewrap, args, seccompFd)
}

/**
 * Runs a jail whose program ends soon.
 *
 * @param seccompFd - the descriptor from which its arguments say that the filter is read.
 * @returns undefined where the program ended with status 0, else what was printed
 */
export async function tryJail(
  { program, filter }: Bubblewrap,
  args: readonly string[],
  seccompFd: number,
): Promise<string | undefined> {
  const handle = await open(filter, 'r')
  try {
    const between = Array.from({ length: seccompFd - 3 }, () => 'ignore' as const)
    return await run(program, args, ['ignore', 'ignore', 'pipe', ...between, handle.fd])
  } finally {
    await handle.close()
  }
}

function run(program: string, args: readonly string[], stdio: StdioOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    let printed = ''
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn(program, args, { stdio, timeout: probeTimeout, killSignal: 'SIGKILL' })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code, signal) => {
      resolve(code === 0 ? undefined : printed || `it ended with ${signal ?? `status ${code}`}`)
    })
  })
}

async function kernelFacts() {
  const [unprivilegedNamespaces, mostNamespaces, apparmor, status, ...marks] = await Promise.all([
    setting('kernel/unprivileged_userns_clone'),
    setting('user/max_user_namespaces'),
    setting('kernel/apparmor_restrict_unprivileged_userns'),
    readFile('/proc/self/status', 'latin1').catch(() => ''), // No /proc: nothing is known of a filter.
    can('/.dockerenv', constants.F_OK),
    can('/run/.containerenv', constants.F_OK),
    can('/var/run/secrets/kubernetes.io', constants.F_OK),
  ])
  const inContainer = marks.includes(true) || /^Seccomp:\s+2$/m.test(status)
  return { unprivilegedNamespaces, mostNamespaces, apparmor, inContainer }
}

async function setting(name: string): Promise<number | undefined> {
  try {
    return Number(await readFile(`/proc/sys/${name}`, 'latin1'))
  } catch {
    return undefined // The kernel has no such setting.
  }
}

async function can(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return true
  } catch {
    return false // Missing, or not allowed.
  }
}
