import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The version that wrote the filters: another one may arrange the same rules otherwise. */
const version = '2.5.4'
const { stdout: installed } = spawnSync(
  'gcc',
  ['-E', '-include', 'seccomp.h', '-dM', '-x', 'c', '/dev/null'],
  {
    encoding: 'utf8',
  },
)
const found = ['MAJOR', 'MINOR', 'MICRO']
  .map((part) => new RegExp(`#define SCMP_VER_${part}\\s+(\\d+)`).exec(installed ?? '')?.[1])
  .join('.')
const why = found === version ? undefined : `gcc and libseccomp ${version} are not installed`

describe.skipIf(why !== undefined)(`the filters${why === undefined ? '' : `: ${why}`}`, () => {
  test('scripts/write-seccomp-filters.mjs writes the bytes that are checked in', () => {
    const directory = mkdtempSync(join(tmpdir(), 'filters-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const { stderr, status } = spawnSync(
      process.execPath,
      [join(root, 'scripts/write-seccomp-filters.mjs'), directory],
      { encoding: 'utf8' },
    )
    expect([stderr, status]).toEqual(['', 0])
    for (const name of ['x64.bpf', 'arm64.bpf', 'cell-x64.bpf', 'cell-arm64.bpf']) {
      expect([name, readFileSync(join(directory, name), 'hex')]).toEqual([
        name,
        readFileSync(join(root, 'seccomp', name), 'hex'),
      ])
    }
  })
})
