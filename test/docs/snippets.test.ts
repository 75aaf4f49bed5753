import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { program } from '../fixtures/program.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((page) => ({ page, snippets: snippetsOf(readFileSync(join(root, page), 'utf8')) }))
  .filter(({ snippets }) => snippets.length > 0)

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(root, '.tmp-snippets-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(pages)('the snippets of $page', ({ page, snippets }) => {
  it.each(snippets.map((snippet, index) => ({ ...snippet, index })))(
    'number $index, $language, runs and prints what its comments say',
    async ({ language, code, index }) => {
      const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${index}.mjs`)
      writeFileSync(file, onSources(language === 'ts' ? await withoutTypes(code) : code))

      const { stdout, stderr } = await run(process.execPath, [file], { cwd: root })

      expect(stderr).toBe('')
      for (const expected of expectations(code)) expect(stdout).toContain(expected)
    },
  )
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
        /isolation: '(worker|shared)'/.test(code) || !/new ShellHost\(|\bserve(Http|Stdio)\(/.test(code),
    )

    expect(snippets.length).toBeGreaterThan(0)
    expect(unsafe).toEqual([])
  },
)

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
