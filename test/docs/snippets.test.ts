import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { program } from '../fixtures/program.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((page) => ({ page, snippets: snippetsOf(readFileSync(join(root, page), 'utf8')) }))
  .filter(({ snippets }) => snippets.length > 0)

let folder: string
/** What each page's snippets printed, in order. */
let printed: ReadonlyMap<string, readonly string[]>
let stderr: string

// Some pages in one process, half of what most take is the start of one, and several processes at once: most of the time
// they wait.
beforeAll(async () => {
  folder = mkdtempSync(join(root, '.tmp-snippets-'))
  const files: (readonly [page: string, files: readonly string[]])[] = []
  for (const [number, { page, snippets }] of pages.entries()) {
    const ofPage: string[] = []
    for (const [index, { language, code }] of snippets.entries()) {
      const file = join(folder, `${number}-${index}.mjs`)
      writeFileSync(file, onSources(language === 'ts' ? await withoutTypes(code) : code))
      ofPage.push(file)
    }
    files.push([page, ofPage])
  }
  const shares = [0, 1, 2].map((share) => files.filter((_, number) => number % 3 === share))
  const ends = await Promise.all(shares.map(runPages))
  stderr = ends.map((end) => end.stderr).join('')
  printed = new Map(ends.flatMap((end) => [...end.printed]))
}, 620_000)

/** Runs the snippets of some pages one after the other, in one process. */
async function runPages(pages: readonly (readonly [page: string, files: readonly string[]])[]) {
  const files = pages.flatMap(([, ofPage]) => ofPage)
  const options = { cwd: root, timeout: 600_000 }
  const end = await run(process.execPath, ['--input-type=module', '-e', inTurn(files)], options).catch(
    ({ code, signal, stdout, stderr: said }) => {
      const number = String(stdout).split(SEPARATOR).length - 2
      throw new Error(`snippet ${files[number]} ended the process: ${code} ${signal}\n${said}`)
    },
  )
  const texts = end.stdout.split(SEPARATOR).slice(1)
  const printed = pages.map(([page, ofPage]) => [page, texts.splice(0, ofPage.length)] as const)
  return { stderr: end.stderr, printed }
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each(pages)('the snippets of $page run and print what their comments say', ({ page, snippets }) => {
  for (const [index, { code }] of snippets.entries()) {
    const text = printed.get(page)?.[index]
    expect(text, `number ${index}`).not.toContain(FAILED)
    for (const expected of expectations(code)) expect(text, `number ${index}`).toContain(expected)
  }
})

it('the snippets print nothing to standard error', () => {
  expect(stderr).toBe('')
})

it('README.md has four snippets, all in plain JavaScript', () => {
  const readme = pages.find(({ page }) => page === 'README.md')

  expect(readme?.snippets.map(({ language }) => language)).toEqual(['js', 'js', 'js', 'js'])
})

it.each(['docs/agent-tools.md', 'docs/integrations.md', 'docs/untrusted-agents.md'])(
  'the snippets of %s keep the engine out of their own process',
  (name) => {
    const { snippets = [] } = pages.find(({ page }) => page === name) ?? {}
    const unsafe = snippets.filter(
      ({ code }) =>
        /isolation: '(worker|shared)'/.test(code) ||
        !/new ShellHost\(|\bserve(Http|Stdio)\(|\bcreateHttpHandler\(/.test(code),
    )

    expect(snippets.length).toBeGreaterThan(0)
    expect(unsafe).toEqual([])
  },
)

/** Comes before what a snippet prints. */
const SEPARATOR = '--- snippet ---\n'

/** Comes before the error that a snippet fails with. */
const FAILED = '--- failed ---\n'

/** A program that runs modules one after the other, and goes on after one that fails. */
function inTurn(files: readonly string[]): string {
  return `
    import { inspect } from 'node:util'
    for (const file of ${JSON.stringify(files.map((file) => pathToFileURL(file).href))}) {
      process.stdout.write(${JSON.stringify(SEPARATOR)})
      await import(file).catch((error) => process.stdout.write(${JSON.stringify(FAILED)} + inspect(error)))
    }`
}

/** A fenced block of a page. `js` runs as it is, `ts` without its types and with `await using` made plain. */
interface Snippet {
  readonly language: 'js' | 'ts'
  readonly code: string
}

function snippetsOf(text: string): Snippet[] {
  return [...text.matchAll(/```(js|ts)\n(.*?)```/gs)].map(([, language, code = '']) => ({
    language: language === 'js' ? 'js' : 'ts',
    code,
  }))
}

async function withoutTypes(code: string): Promise<string> {
  return (await transform(code, { loader: 'ts', target: 'node20.18' })).code
}

/** The code with its imports of this package led to the built sources. */
function onSources(code: string): string {
  return code.replaceAll(
    /(from |import\()['"]strands-shell-runtime(\/[\w-]+)?['"]/g,
    (_import, keyword: string, subpath = '') =>
      `${keyword}'${pathToFileURL(program(`src${subpath}/index.ts`)).href}'`,
  )
}

/** What a `console.log(…) // like this` comment promises. */
function expectations(code: string): string[] {
  return [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)]
    .map(([, text = '']) => text)
    .filter((text) => !text.includes('…') && !text.startsWith('a '))
}
