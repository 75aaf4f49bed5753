import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly peer?: boolean
  readonly optional?: boolean
}

const root = new URL('../../', import.meta.url)
const { packages } = await json<{ packages: Record<string, Locked> }>('package-lock.json')
const installed = Object.entries(packages).filter(([place]) => place !== '')

async function json<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8'))
}

it('the lockfile names every optional package of every platform, as `npm ci` asks', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
    ),
  )

  expect(missing).toEqual([])
})

it('every locked package is held to its content, and to no address', () => {
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([])
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

/** Optional packages of just-bash, for archives by `zstd` and `xz`. Without their scripts everything else works. */
const withScripts = ['node_modules/@mongodb-js/zstd', 'node_modules/node-liblzma']

it('nothing of ours runs when a user installs the package, and of others only what is known and optional', async () => {
  const ofUsers = installed.filter(([, { dev, peer }]) => dev !== true && peer !== true)
  expect(ofUsers.length).toBeGreaterThan(10)
  const scripted = ofUsers.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect(scripted.map(([place]) => place)).toEqual(withScripts)
  expect(scripted.filter(([, { optional }]) => optional !== true)).toEqual([])

  const { scripts } = await json<{ scripts: Record<string, string> }>('package.json')
  const events = /^(pre|post)?(install|uninstall|prepare|pack|prepack|publish|prepublish|prepublishOnly)$/
  expect(Object.keys(scripts).filter((name) => events.test(name))).toEqual([])
})

it('the checks install what is locked and nothing else', async () => {
  const lines = (await readFile(new URL('.ci/run', root), 'utf8')).split('\n')
  expect(lines).toContain('npm ci')
  expect(lines.filter((line) => /\bnpm (i|install|add|update)\b|\bnpx (-y|--yes)\b/.test(line))).toEqual([])
})
