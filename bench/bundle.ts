import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundledPackages } from '../scripts/bundled-packages.mjs'
import { pool, requireOfModule } from '../scripts/bundled-pool.mjs'
import { compact } from '../scripts/compact-output.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Bundles child processes of the bench into a directory, as the package is built, so that they start as it does. */
export async function bundleChildren(names: readonly string[], directory: string): Promise<void> {
  await build({
    entryPoints: names.map((name) => `${root}bench/${name}.ts`),
    outdir: directory,
    bundle: true,
    splitting: true,
    packages: 'external',
    alias: bundledPackages(),
    ...pool,
    banner: { js: requireOfModule },
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    ...compact,
    logLevel: 'warning',
  })
}

/** Bundled children: their processes load what a user's would. */
export class BundledChildren implements Disposable {
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  /** @param names - of files of this folder. Default: those of the scenarios. */
  static async build(
    names: readonly string[] = ['stage-child', 'first-answer-child', 'serverless-child'],
  ): Promise<BundledChildren> {
    // Inside the package, so that the bundle finds the installed packages.
    mkdirSync(`${root}.tmp`, { recursive: true })
    const bundled = new BundledChildren(mkdtempSync(`${root}.tmp/bench-`))
    await bundleChildren(names, bundled.directory)
    return bundled
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true })
  }
}
