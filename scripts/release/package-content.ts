import { readdir, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'

/** The most bytes of all installed files together: half as much again as their present size. */
const mostBytes = 9 * 1024 ** 2

/** Files of the package that follow neither from its manifest nor from its sources, pages and examples. */
const fixed = [
  'package.json',
  'README.md',
  'LICENSE',
  'dist/argv/sync-entry.js',
  'dist/cell/LICENSES.txt',
  'dist/page/index.html',
  'dist/page/assets/icon.svg',
  'dist/page/assets/licenses.txt',
  'dist/page/assets/line-chart.js',
  'dist/page/assets/page.js',
  'dist/page/assets/screen.js',
  'dist/page/assets/style.css',
  'dist/src/LICENSES.txt',
  'dist/worker/LICENSES.txt',
  'dist/worker/bash.cjs',
  'dist/worker/empty-file',
  'dist/worker/jail.cjs',
  'dist/worker/make-code.cjs',
  'dist/worker/on-demand.cjs',
  'dist/worker/thread-pipe.cjs',
  'dist/worker/translate.cjs',
  'seccomp/arm64.bpf',
  'seccomp/cell-arm64.bpf',
  'seccomp/cell-x64.bpf',
  'seccomp/filter.c',
  'seccomp/x64.bpf',
]

/** Modules that the entries share. Their names change with their content. */
const chunk = /^dist\/src\/chunks\/[\w-]+-[0-9A-Z]{8}\.js$/

/** Text that names the machine of the build, or files that the package does not have. */
const traces: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a source map', /^\/\/# sourceMappingURL=/m],
  ['a file URL', /\bfile:\/\/\/(?!etc\b)\w+\/\w+/],
]

/**
 * Lists what is wrong with the files of an unpacked package: missing files, unexpected files, and files that name the
 * machine of the build. Empty when nothing is wrong.
 *
 * @param folder - the unpacked package
 * @param repository - the repository that it was built from
 */
export async function contentProblems(folder: string, repository: string): Promise<string[]> {
  const files = (await filesBelow(folder)).sort()
  const expected = await expectedFiles(repository)
  return [
    ...[...expected].filter((path) => !files.includes(path)).map((path) => `${path} is missing.`),
    ...files
      .filter((path) => !expected.has(path) && !chunk.test(path))
      .map((path) => `${path} is not expected.`),
    ...(await Promise.all(files.map((path) => traceProblems(folder, path, repository)))).flat(),
    ...(await sizeProblems(folder, files)),
  ]
}

async function expectedFiles(repository: string): Promise<ReadonlySet<string>> {
  const sources = (await filesBelow(join(repository, 'src'))).filter((path) => /(?<!\.d)\.ts$/.test(path))
  const pages = (await filesBelow(join(repository, 'docs'))).filter((path) =>
    /\.(md|svg)$|^openapi\.json$/.test(path),
  )
  const examples = await filesBelow(join(repository, 'examples'))
  return new Set([
    ...fixed,
    ...(await targetsOf(repository)),
    ...sources.map((path) => `dist/src/${path.replace(/\.ts$/, '.d.ts')}`),
    ...pages.filter((path) => !path.startsWith('api/')).map((path) => `docs/${path}`),
    // The tour reads the sources of this repository, which the package does not have.
    ...examples.filter((path) => !path.startsWith('tour')).map((path) => `examples/${path}`),
  ])
}

/** The files that the manifest names: its exports, its command line, and the pages at the root. */
async function targetsOf(repository: string): Promise<string[]> {
  const manifest: { readonly exports: object; readonly bin: object; readonly files: readonly string[] } =
    JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const pages = manifest.files.filter((path) => path.endsWith('.md'))
  return [...stringsIn(manifest.exports), ...stringsIn(manifest.bin), ...pages].map((path) =>
    path.replace(/^\.\//, ''),
  )
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

async function traceProblems(folder: string, path: string, repository: string): Promise<string[]> {
  const text = await readFile(join(folder, path), 'utf8')
  const places = [repository.replace(/\/$/, ''), homedir()].filter((place) => place.split('/').length > 2)
  return [
    ...traces.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${path} has ${what}.`),
    ...places.filter((place) => text.includes(place)).map((place) => `${path} names ${place}.`),
  ]
}

async function sizeProblems(folder: string, files: readonly string[]): Promise<string[]> {
  const sizes = await Promise.all(files.map(async (path) => (await stat(join(folder, path))).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return bytes > mostBytes ? [`The files have ${bytes} bytes together (most: ${mostBytes}).`] : []
}

/** Relative paths of all files, without those of installed dependencies. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('node_modules/'))
}
