import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Bundles child processes of the bench into a directory, so that they start without a TypeScript loader. */
export async function bundleChildren(names: readonly string[], directory: string): Promise<void> {
  await build({
    entryPoints: names.map((name) => `${root}bench/${name}.ts`),
    outdir: directory,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    logLevel: 'warning',
  })
}

/** The bundled children of the scenarios: their processes load what a user's would. */
export class BundledChildren implements Disposable {
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  static async build(): Promise<BundledChildren> {
    // Inside the package, so that the bundle finds the installed packages.
    mkdirSync(`${root}.tmp`, { recursive: true })
    const bundled = new BundledChildren(mkdtempSync(`${root}.tmp/bench-`))
    await bundleChildren(['stage-child', 'first-answer-child'], bundled.directory)
    return bundled
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true })
  }
}
