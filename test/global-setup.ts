import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Builds the worker entry once for all suites: worker threads cannot load TypeScript sources. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url)), '--worker'], {
    stdio: 'inherit',
  })
}
