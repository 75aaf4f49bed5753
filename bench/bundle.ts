import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The children of the bench, built: their processes load what a user's would, and nothing of a TypeScript loader. */
export class BundledChildren implements Disposable {
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  static async build(): Promise<BundledChildren> {
    // Inside the package, so that the bundle finds what is installed with it.
    mkdirSync(`${root}.tmp`, { recursive: true })
    const bundled = new BundledChildren(mkdtempSync(`${root}.tmp/bench-`))
    await build({
      entryPoints: ['stage-child', 'first-answer-child'].map((name) => `${root}bench/${name}.ts`),
      outdir: bundled.directory,
      bundle: true,
      splitting: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.18',
      logLevel: 'warning',
    })
    return bundled
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true })
  }
}
