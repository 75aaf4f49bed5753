// Installs the packed package and Jest in an empty project, and runs test/jest/ there: `npm run test:jest`, after `npm run build`.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const project = mkdtempSync(join(tmpdir(), 'test-jest-'))
const run = (command, args, options = {}) => execFileSync(command, args, { stdio: 'inherit', ...options })
try {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', project], {
    encoding: 'utf8',
  })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const tarball = join(project, packed.trim().split('\n').at(-1) ?? '')
  run('npm', ['install', '--no-audit', '--no-fund', tarball, 'jest@30'], { cwd: project })
  cpSync('test/jest', join(project, 'test'), { recursive: true })
  run(
    process.execPath,
    ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testRegex=\\.mjs$'],
    {
      cwd: project,
    },
  )
} finally {
  rmSync(project, { recursive: true, force: true })
}
