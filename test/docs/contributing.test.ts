import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const page = read('CONTRIBUTING.md')

/** Every file and folder of the repository that a page may name. Folders end with a slash. */
const paths = ['.', 'docs', 'examples', 'page', 'scripts', 'soak', 'src', 'test', 'worker', 'bench'].flatMap(
  (folder) =>
    readdirSync(fileURLToPath(new URL(folder, root)), { recursive: folder !== '.', withFileTypes: true }).map(
      (entry) => {
        const path = `${entry.parentPath}/${entry.name}`.slice(fileURLToPath(root).length - 1)
        return entry.isDirectory() ? `${path}/` : path
      },
    ),
)

it('CONTRIBUTING.md gives a reason for each dependency, and names no other', () => {
  const manifest: Record<string, Readonly<Record<string, string>> | undefined> = JSON.parse(
    read('package.json'),
  )
  const kinds = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies']
  const declared = new Set(kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})))
  const [, section = ''] = page.split('## Dependencies, and why each')
  const rows = [...section.matchAll(/^\| (`.*?) \| (.+) \|$/gm)]
  const named = rows.flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  named.push(
    ...[...section.matchAll(/`(@strands-agents\/shell)`, an optional peer/g)].map(([, name]) => name),
  )

  expect(named.sort()).toEqual([...declared].sort())
})

it('CONTRIBUTING.md and docs/architecture.md name only files and folders that exist', () => {
  const named = [page, read('docs/architecture.md')].flatMap((text) =>
    [...text.matchAll(/`([\w./-]+(?:\.(?:ts|mjs|cjs|sh|json|md)|\/))`/g)].map(([, path = '']) => path),
  )
  expect(named.length).toBeGreaterThan(50)
  // A build makes these.
  const made = new Set([
    'docs/api/',
    'dist/',
    'bash.cjs',
    'jail.cjs',
    'on-demand.cjs',
    'thread-pipe.cjs',
    'translate.cjs',
  ])
  const gone = named.filter((path) => !made.has(path) && !paths.some((known) => known.endsWith(`/${path}`)))

  expect(gone).toEqual([])
})
