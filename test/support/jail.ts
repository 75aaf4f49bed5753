import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bubblewrapArguments } from '../../src/bubblewrap/arguments.ts'
import type { JailMount, JailPlan } from '../../src/bubblewrap/plan.ts'
import { resolveBubblewrap } from '../../src/engines/find-bubblewrap.ts'
import { systemMounts } from '../../src/engines/system-mounts.ts'

const finding = await resolveBubblewrap()

/** Why there are no jails here; undefined where there are. */
export const noJails: string | undefined = finding.ok ? undefined : finding.reason

/** Why nothing written in C can be compiled here; undefined where it can. */
export const noCompiler: string | undefined =
  spawnSync('gcc', ['--version']).status === 0 ? undefined : 'gcc is not installed'

/** A jail with the system's programs, `/proc`, `/dev` and `/tmp`, in which `command` runs. */
export async function jailPlan(
  command: JailPlan['command'],
  { mounts = [], ...rest }: Partial<JailPlan> = {},
): Promise<JailPlan> {
  const base: readonly JailMount[] = [
    ...(await systemMounts()),
    { kind: 'proc', destination: '/proc' },
    { kind: 'dev', destination: '/dev' },
    { kind: 'tmpfs', destination: '/tmp', size: 2 ** 24 },
  ]
  return {
    network: 'none',
    user: { uid: 1000, gid: 1000 },
    directory: '/',
    environment: { PATH: '/usr/bin:/bin' },
    seccompFd: 3,
    command,
    ...rest,
    mounts: [...base, ...mounts],
  }
}

/** Runs a jail to its end. */
export function runJail(plan: JailPlan): {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
} {
  if (!finding.ok) throw new TypeError(finding.reason)
  const filter = openSync(finding.filter, 'r')
  try {
    return spawnSync(finding.program, bubblewrapArguments(plan), {
      stdio: ['ignore', 'pipe', 'pipe', filter],
      encoding: 'utf8',
      timeout: 50_000,
      killSignal: 'SIGKILL',
    })
  } finally {
    closeSync(filter)
  }
}

/** Compiles a C program; the caller removes its directory. */
export function compiled(source: string): { readonly program: string; readonly directory: string } {
  const directory = mkdtempSync(join(tmpdir(), 'compiled-'))
  const program = join(directory, 'program')
  const { status, stderr } = spawnSync('gcc', ['-w', '-o', program, source], { encoding: 'utf8' })
  if (status === 0) return { program, directory }
  rmSync(directory, { recursive: true })
  throw new Error(`gcc could not compile ${source}: ${stderr}`)
}
