import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

it('the lockfile names every optional package of every platform, as `npm ci` asks', async () => {
  const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url))
  const { packages } = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, Locked> }

  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
    ),
  )

  expect(missing).toEqual([])
})
