import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import type { TestProject } from 'vitest/node'
import { pool, requireOfModule } from '../scripts/bundled-pool.mjs'
import { buildPrograms } from './fixtures/build-programs.ts'
import { buildSources } from './fixtures/build-sources.ts'
import { makeCompiledCode } from './fixtures/compiled-code.ts'
import { useMemoryDirectory } from './fixtures/memory-directory.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds once for all suites what they import of the sources and what they start: worker threads and processes. Unit
 * tests start nothing.
 */
export default async function setup({ provide, vitest }: TestProject): Promise<() => void> {
  const removeSources = await buildSources()
  const removeTemporary = useMemoryDirectory()
  if (vitest.projects.every(({ name }) => name === 'unit')) {
    return () => {
      removeSources()
      removeTemporary()
    }
  }
  execFileSync(process.execPath, [`${root}scripts/build.mjs`, '--worker'], { stdio: 'inherit' })
  await buildFaultyWorker()
  // Of this run alone: others may be under way.
  const programs = `${root}.tmp/programs.${process.pid}`
  const compiledCode = `${root}.tmp/code.${process.pid}`
  const [removeCode] = await Promise.all([
    makeCompiledCode(root, compiledCode),
    buildPrograms(root, programs),
    buildPool(),
  ])
  provide('programs', programs)
  provide('compiledCode', compiledCode)
  return () => {
    removeSources()
    removeTemporary()
    removeCode()
    rmSync(programs, { recursive: true, force: true })
  }
}

/**
 * Bundles `fixtures/faulty-worker.ts` into `.tmp/faulty-worker.cjs`, what it loads on demand beside it; whole at any time,
 * for suites that run side by side.
 */
async function buildFaultyWorker(): Promise<void> {
  mkdirSync(`${root}.tmp`, { recursive: true })
  await bundle('test/fixtures/faulty-worker.ts', 'faulty-worker.cjs', {
    external: pool.external,
    format: 'cjs',
  })
  for (const name of [
    'thread-pipe.cjs',
    'on-demand.cjs',
    'translate.cjs',
    'bash.cjs',
    'jail.cjs',
    'empty-file',
  ]) {
    const copied = `${root}.tmp/${name}.${process.pid}`
    copyFileSync(`${root}dist/worker/${name}`, copied)
    renameSync(copied, `${root}.tmp/${name}`)
  }
}

/** Bundles Piscina, as the package has it, for cells that tests build. */
function buildPool(): Promise<void> {
  return bundle('node_modules/piscina/dist/esm-wrapper.mjs', 'pool.mjs', {
    ...pool,
    banner: { js: requireOfModule },
    format: 'esm',
  })
}

/** Bundles a file of the package into one in `.tmp`, which appears as a whole. */
async function bundle(source: string, name: string, options: BuildOptions): Promise<void> {
  const unfinished = `${root}.tmp/unfinished.${process.pid}.${name}`
  await build({
    entryPoints: [root + source],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    target: 'node20.18',
    logLevel: 'warning',
    ...options,
  })
  renameSync(unfinished, `${root}.tmp/${name}`)
}
