import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds the worker entries once for all suites: worker threads cannot load TypeScript sources. */
export default async function setup(): Promise<void> {
  execFileSync(process.execPath, [`${root}scripts/build.mjs`, '--worker'], { stdio: 'inherit' })
  await buildFaultyWorker()
}

/**
 * Bundles `fixtures/faulty-worker.ts` into `.tmp/faulty-worker.cjs`, what it loads on demand beside it; whole at any time,
 * for suites that run side by side.
 */
async function buildFaultyWorker(): Promise<void> {
  mkdirSync(`${root}.tmp`, { recursive: true })
  const unfinished = `${root}.tmp/faulty-worker.${process.pid}.cjs`
  await build({
    entryPoints: [`${root}test/fixtures/faulty-worker.ts`],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.18',
    logLevel: 'warning',
  })
  renameSync(unfinished, `${root}.tmp/faulty-worker.cjs`)
  const copied = `${root}.tmp/on-demand.${process.pid}.cjs`
  copyFileSync(`${root}dist/worker/on-demand.cjs`, copied)
  renameSync(copied, `${root}.tmp/on-demand.cjs`)
}
