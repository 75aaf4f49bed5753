import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Entries that are started by their path, and never imported. */
const started = new Set(['./worker', './cell', './relay', './package.json'])

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Installs a tarball, as a user does, in an empty project. Gives the folder of the installed package. */
export async function installTarball(tarball: string, project: string): Promise<string> {
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball]
  await run('npm', install, { cwd: project })
  return join(project, 'node_modules/strands-shell-runtime')
}

/**
 * Imports every export of an installed package and runs one command.
 *
 * @param project - where it is installed, by {@link installTarball}
 * @param repository - whose own copies of the optional peers it is given
 * @returns what was imported
 * @throws what the first import that fails throws
 */
export async function tryPackage(project: string, repository: string): Promise<readonly string[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  await linkPeers(Object.keys(manifest.peerDependencies), project, repository)
  const names = Object.keys(manifest.exports).map((subpath) => ({
    name: manifest.name + subpath.slice(1),
    isStarted: started.has(subpath),
  }))
  const code = [
    ...names.filter(({ isStarted }) => !isStarted).map(({ name }) => `await import('${name}')`),
    ...names.filter(({ isStarted }) => isStarted).map(({ name }) => `require.resolve('${name}')`),
    `const { StrandsShellSandbox } = await import('${manifest.name}')`,
    'const sandbox = await StrandsShellSandbox.open()',
    "console.log((await sandbox.execute('echo released')).stdout)",
    'await sandbox.close()',
  ]
  const script =
    "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n"
  await writeFile(join(project, 'try.mjs'), `${script}${code.join('\n')}\n`)
  const { stdout } = await run(process.execPath, ['try.mjs'], { cwd: project, timeout: 120_000 })
  if (stdout.trim() !== 'released')
    throw new Error(`The installed package printed ${JSON.stringify(stdout)}.`)
  return names.map(({ name }) => name)
}

async function linkPeers(names: readonly string[], project: string, repository: string): Promise<void> {
  for (const name of names) {
    const source = join(repository, 'node_modules', name)
    const target = join(project, 'node_modules', name)
    if (!existsSync(source) || existsSync(target)) continue
    await mkdir(dirname(target), { recursive: true })
    await symlink(source, target)
  }
}
