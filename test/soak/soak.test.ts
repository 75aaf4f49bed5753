import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'

const main = fileURLToPath(new URL('../../soak/main.ts', import.meta.url))

const seconds = Number(process.env['SOAK_SECONDS'] ?? 120)

/** The shell, the level and flags of each run. */
const runs: readonly (readonly [shell: string, level: string, ...flags: string[]])[] = [
  ['strands', 'all'],
  ['bash', 'all'],
  ...(noJails === undefined ? [['strands', 'all', '--jails'] as const] : []),
]

it.runIf(isFull || 'SOAK_SECONDS' in process.env).each(runs.map((run) => ({ run })))(
  '$run: sandboxes, used in every way under faults of every kind, keep every promise',
  async ({ run: [shell, level, ...flags] }) => {
    const args = [
      '--import',
      'tsx',
      main,
      '--minutes',
      String(seconds / 60),
      '--shell',
      shell,
      '--level',
      level,
      ...flags,
      '--pace',
      '0.6',
    ]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NODE_OPTIONS: '' },
      timeout: (seconds + 240) * 1000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'close')
    const [stdout, stderr] = await output
    console.log(stdout)
    expect({ code, stderr: told(stderr) }).toEqual({ code: 0, stderr: '' })
    const [, calls, injected, seen] = /, (\d+) calls, .* (\d+) losses injected, (\d+) seen/.exec(stdout) ?? []
    expect(Number(calls)).toBeGreaterThan(seconds * 5)
    expect(Number(seen)).toBeGreaterThan(seconds / 20)
    expect(seen).toBe(injected)
  },
  900_000,
)

/** What was said but for the engine's panics, which nothing keeps from standard error. */
function told(stderr: string): string {
  return stderr.replaceAll(/^(|thread .* panicked at .*|index out of bounds: .*|note: run with .*)\n/gm, '')
}
