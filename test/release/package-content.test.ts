import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentProblems } from '../../scripts/release/package-content.ts'

const manifest = JSON.stringify({
  exports: { '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' } },
  bin: { tool: 'dist/src/cli/main.js' },
  files: ['dist', 'docs', 'CHANGELOG.md', '!docs/api'],
})
const packed = {
  'package.json': manifest,
  'README.md': 'Read me',
  LICENSE: '',
  'CHANGELOG.md': '',
  'docs/page.md': '',
  'docs/pictures/one.svg': '',
  'examples/one.ts': '',
  'dist/src/index.js': 'export {}\n',
  'dist/src/index.d.ts': '',
  'dist/src/cli/main.js': '',
  'dist/src/cli/main.d.ts': '',
  'dist/src/chunks/run-AB12CD34.js': '',
  'dist/argv/sync-entry.js': '',
  'dist/cell/LICENSES.txt': '',
  'dist/page/index.html': '',
  'dist/page/assets/icon.svg': '',
  'dist/page/assets/licenses.txt': '',
  'dist/page/assets/line-chart.js': '',
  'dist/page/assets/page.js': '',
  'dist/page/assets/screen.js': '',
  'dist/page/assets/style.css': '',
  'dist/src/LICENSES.txt': '',
  'dist/worker/LICENSES.txt': '',
  'dist/worker/bash.cjs': '',
  'dist/worker/empty-file': '',
  'dist/worker/jail.cjs': '',
  'dist/worker/make-code.cjs': '',
  'dist/worker/on-demand.cjs': '',
  'dist/worker/thread-pipe.cjs': '',
  'dist/worker/translate.cjs': '',
  'seccomp/arm64.bpf': '',
  'seccomp/cell-arm64.bpf': '',
  'seccomp/cell-x64.bpf': '',
  'seccomp/filter.c': '',
  'seccomp/x64.bpf': '',
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-content-'))
  await write('repository', {
    'package.json': manifest,
    'src/index.ts': '',
    'src/ambient.d.ts': '',
    'src/cli/main.ts': '',
    'docs/page.md': '',
    'docs/pictures/one.svg': '',
    'docs/api/made.md': '',
    'examples/one.ts': '',
    'examples/tour.ts': '',
    'examples/tour/part.ts': '',
  })
  await write('package', packed)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name, path)), { recursive: true })
    await writeFile(join(folder, name, path), text)
  }
}

/** The problems of the package with these files more, and without that one. */
async function problemsWith(more: Readonly<Record<string, string>>, without?: string): Promise<string[]> {
  const copy = await mkdtemp(join(folder, 'copy-'))
  await cp(join(folder, 'package'), copy, { recursive: true })
  await write(copy.slice(folder.length), more)
  if (without !== undefined) await rm(join(copy, without))
  return contentProblems(copy, join(folder, 'repository'))
}

it('a package with what it should have, and nothing else, has no problem', async () => {
  expect(await problemsWith({})).toEqual([])
})

it.each([
  'dist/src/index.js',
  'dist/src/cli/main.d.ts',
  'dist/worker/on-demand.cjs',
  'dist/worker/thread-pipe.cjs',
  'dist/worker/translate.cjs',
  'docs/pictures/one.svg',
  'LICENSE',
  'CHANGELOG.md',
  'examples/one.ts',
])('%s is missed', async (path) => {
  expect(await problemsWith({}, path)).toEqual([`${path} is missing.`])
})

it.each([
  'test/index.test.js',
  'src/index.ts',
  'dist/src/index.js.map',
  'dist/src/gone.d.ts',
  'dist/src/chunks/run.js',
  'docs/api/made.md',
  'examples/tour.ts',
  '.env',
])('%s is not expected', async (path) => {
  expect(await problemsWith({ [path]: '' })).toEqual([`${path} is not expected.`])
})

it('files that tell of the machine which built them are named', async () => {
  const index = 'dist/src/index.js'
  expect(await problemsWith({ [index]: 'export {}\n//# sourceMappingURL=index.js.map\n' })).toEqual([
    `${index} has a source map.`,
  ])
  expect(await problemsWith({ [index]: "import 'file:///opt/work/x.js'\n" })).toEqual([
    `${index} has a file URL.`,
  ])
  const repository = join(folder, 'repository')
  expect(await problemsWith({ [index]: `// ${repository}/src/index.ts\n` })).toEqual([
    `${index} names ${repository}.`,
  ])
})

it('a package that has grown past all measure is told', async () => {
  const [problem, ...others] = await problemsWith({ 'README.md': 'x'.repeat(9 * 1024 ** 2 + 1) })
  expect(problem).toMatch(/^The files have \d{7} bytes together \(most: 9437184\)\.$/)
  expect(others).toEqual([])
})
