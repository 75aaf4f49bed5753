import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import type { ResolvedEngine } from '../src/engines/strands/resolve-engine.ts'
import type { Machine, Results } from './results.ts'

/** Describes this machine. */
export function describeMachine(): Machine {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  }
}

/** The versions of the contenders. */
export function versionsOf(engine: ResolvedEngine): Results['versions'] {
  const own = versionIn('../package.json')
  return {
    'ours-worker': own,
    'ours-shared': own,
    'ours-process': own,
    'ours-bash-worker': own,
    'ours-bash-shared': own,
    'ours-bash-process': own,
    'ours-jail-shared': own,
    raw: `${engine.packageName} ${engine.version}`,
    echo: process.version,
    'just-bash': versionIn('../node_modules/just-bash/package.json'),
    bashkit: `@everruns/bashkit ${versionIn('../node_modules/@everruns/bashkit/package.json')}`,
    bash: execFileSync('bash', ['-c', 'echo $BASH_VERSION'], { encoding: 'utf8' }).trim(),
  }
}

function versionIn(manifest: string): string {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(new URL(manifest, import.meta.url), 'utf8'),
  )
  return version
}
