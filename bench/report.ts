// npm run bench:report -- [FILE]: docs/performance.md and its charts from what `npm run bench -- --json FILE` wrote.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { renderReport } from './report/render.ts'
import type { Results } from './results.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: `${root}docs` } },
  allowPositionals: true,
})
const [file = `${root}bench/results.json`] = positionals
const results: Results = JSON.parse(readFileSync(file, 'utf8'))
rmSync(`${values.out}/performance`, { recursive: true, force: true })
mkdirSync(`${values.out}/performance`, { recursive: true })
for (const [path, content] of renderReport(results)) writeFileSync(`${values.out}/${path}`, content)
