// Makes a release, as far as it can be checked: npm run release -- [--dry-run | --publish]
//
// Without a flag it prints the command that publishes. --publish runs that command. --dry-run leaves the tests out, packs what
// dist/ holds, and says what a release would refuse.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { notesOf } from './release/changelog.ts'
import { contentProblems } from './release/package-content.ts'
import { installTarball, tryPackage } from './release/try-package.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' } },
})
const dryRun = flags['dry-run'] === true
if (dryRun && flags.publish === true) throw new Error('--dry-run and --publish exclude each other.')

const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
  read('package.json'),
)
const scratch = mkdtempSync(join(tmpdir(), `${name}-release-`))
try {
  await step('the tree is clean', requireCleanTree)
  await step(`CHANGELOG.md tells of ${version}`, () => void notesOf(read('CHANGELOG.md'), version))
  if (!dryRun) await must('npm run test:full passes', () => npm('run', 'test:full'))
  const tarball = await must('the package is packed', pack)
  const project = join(scratch, 'project')
  mkdirSync(project)
  const folder = await must('the tarball installs', () => installTarball(tarball, project))
  await must('it holds what it should', () => requireContent(folder))
  const imported = await must('its exports load, and a command runs', () => tryPackage(project, root))
  console.log(`      ${imported.join(' ')}`)
  finish(tarball)
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** What a release needs; a dry run notes that it is not so, and goes on. */
async function step(claim: string, check: () => void): Promise<void> {
  try {
    await must(claim, check)
  } catch (error) {
    if (!dryRun) throw error
    console.log(messageOf(error))
  }
}

async function must<T>(claim: string, work: () => T | Promise<T>): Promise<T> {
  try {
    const value = await work()
    console.log(`ok    ${claim}`)
    return value
  } catch (cause) {
    throw new Error(`NOT   ${claim}: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function requireCleanTree(): void {
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trimEnd()
  if (changed !== '') throw new Error(`there are changes that are not committed:\n${changed}`)
}

function pack(): string {
  const where = dryRun ? scratch : root
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', where]
  const [packed]: readonly { readonly filename: string }[] = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8' }),
  )
  if (packed === undefined) throw new Error('npm pack told of no tarball.')
  return join(where, packed.filename)
}

async function requireContent(folder: string): Promise<void> {
  const problems = await contentProblems(folder, root)
  if (problems.length > 0) throw new Error(`the package is not what it should be:\n${problems.join('\n')}`)
}

function finish(tarball: string): void {
  const publish = ['publish', tarball, '--access', 'public']
  if (dryRun) console.log('A dry run: nothing was published.')
  else if (flags.publish === true) npm(...publish)
  else console.log(`Publish it: npm ${publish.join(' ')} && git tag v${version}`)
}

function npm(...args: readonly string[]): void {
  execFileSync('npm', args, { cwd: root, stdio: 'inherit' })
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
