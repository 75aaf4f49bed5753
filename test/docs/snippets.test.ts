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

describe.each(pages)('the TypeScript snippets of $page', ({ page, snippets }) => {
  it.each(snippets.map((code, index) => ({ code, index })))(
    'number $index runs as printed',
    async ({ code, index }) => {
      const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${index}.mjs`)
      const entry = (_name: string, subpath = '') =>
        `from '${pathToFileURL(program(`src${subpath}/index.ts`)).href}'`
      const source = code.replaceAll(/from 'strands-shell-runtime(\/[\w-]+)?'/g, entry)
      writeFileSync(file, (await transform(source, { loader: 'ts', target: 'node20.18' })).code)

      const { stdout, stderr } = await run(process.execPath, [file], { cwd: root })

      expect(stderr).toBe('')
      for (const expected of expectations(code)) expect(stdout).toContain(expected)
    },
  )
})

function snippetsOf(text: string): string[] {
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
}

/** What a `console.log(…) // like this` comment promises. */
function expectations(code: string): string[] {
  return [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)]
    .map(([, text = '']) => text)
    .filter((text) => !text.includes('…') && !text.startsWith('a '))
}
