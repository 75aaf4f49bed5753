import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cases } from '../../../support/tier.ts'
import { openShell } from './open-shell.ts'
import { generateScript } from './support/generate.ts'
import { KNOWN_DIFFERENCES, REFUSALS } from './support/known-differences.ts'

const BASH = '/bin/bash'
const FIRST = Number(process.env['BASH_SEED'] ?? '1')

interface Result {
  readonly stdout: string
  readonly exitCode: number | null
}

function inBash(script: string): Result {
  const cwd = mkdtempSync(join(tmpdir(), 'bash-generated-'))
  try {
    const env = { PATH: '/usr/bin:/bin', HOME: '/home/user', LC_ALL: 'C', TZ: 'UTC' }
    const { stdout, status } = spawnSync(BASH, ['-c', script], {
      cwd,
      env,
      input: '',
      encoding: 'utf8',
      timeout: 10_000,
    })
    return { stdout, exitCode: status }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

async function inEngine(script: string): Promise<Result & { readonly stderr: string }> {
  const shell = await openShell({
    cwd: '/tmp/generated',
    env: [
      ['LC_ALL', 'C'],
      ['TZ', 'UTC'],
    ],
  })
  const outcome = await shell.run({ command: script })
  if (!outcome.ok) throw new Error(outcome.error.message)
  const { stdout, stderr, exitCode } = outcome.value
  return { stdout, stderr, exitCode }
}

// A generated script may wait for input that never comes, in bash as well: such ones count as skipped.
test.skipIf(!existsSync(BASH))(
  'does what bash does with generated scripts, or says that it does not',
  { timeout: 600_000 },
  async () => {
    const wrong: unknown[] = []
    let compared = 0
    for (let seed = FIRST; compared < cases(150); seed += 1) {
      const script = generateScript(seed)
      const own = script.slice(script.indexOf('\ng() {'))
      if (KNOWN_DIFFERENCES.some(([construct]) => construct.test(own))) continue
      const expected = inBash(script)
      if (expected.exitCode === null) continue
      compared += 1
      const { stderr, ...result } = await inEngine(script)
      if (REFUSALS.test(stderr)) continue
      if (result.stdout !== expected.stdout || result.exitCode !== expected.exitCode)
        wrong.push({ seed, own, expected, result, stderr })
    }
    expect(wrong).toEqual([])
  },
)
