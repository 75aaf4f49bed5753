// Writes the seccomp filters of jails: `node scripts/write-seccomp-filters.mjs [DIRECTORY]`, by default into `seccomp/`.
// Needs gcc and libseccomp 2.5.4 or newer (Debian: gcc, libseccomp-dev). The same libseccomp writes the same bytes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../seccomp/', import.meta.url))
const target = process.argv[2] ?? source
const directory = mkdtempSync(join(tmpdir(), 'seccomp-'))
try {
  const program = join(directory, 'filter')
  execFileSync('gcc', ['-O1', '-Wall', '-Werror', '-o', program, join(source, 'filter.c'), '-lseccomp'])
  for (const [node, kernel] of [
    ['x64', 'x86_64'],
    ['arm64', 'aarch64'],
  ]) {
    writeFileSync(join(target, `${node}.bpf`), execFileSync(program, [kernel]))
    writeFileSync(join(target, `cell-${node}.bpf`), execFileSync(program, [kernel, 'cell']))
  }
} finally {
  rmSync(directory, { recursive: true })
}
