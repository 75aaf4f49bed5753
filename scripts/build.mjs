// Builds the package into dist/: the host side and the worker as few files, so that neither an import nor a
// thread spends its time on module resolution, and declarations with tsc (`npm run typecheck` is what checks).
// `--worker` builds the worker alone.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What `package.json` exports, and the command line. */
const entries = [
  'index',
  ...[
    'ai-sdk',
    'argv',
    'bash',
    'langchain',
    'mcp',
    'openai-agents',
    'posix',
    'strands',
    'testing',
    'tools',
  ].map((folder) => `${folder}/index`),
  'cli/main',
]
const workerOnly = process.argv.includes('--worker')
const { resolve } = createRequire(import.meta.url)

if (!workerOnly) {
  rmSync(`${root}dist`, { recursive: true, force: true })
  const tsc = `${root}node_modules/typescript-native/bin/tsc`
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  })
  const { metafile } = await build({
    entryPoints: entries.map((entry) => `${root}src/${entry}.ts`),
    outbase: root,
    outdir: `${root}dist`,
    bundle: true,
    splitting: true,
    packages: 'external',
    // Bundled, so that users install nothing: what an alias names by its path is no package.
    alias: { ignore: resolve('ignore'), 'modern-tar': resolve('modern-tar') },
    metafile: true,
    // Users read the names of classes, in errors and where they print a sandbox.
    keepNames: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    chunkNames: 'src/chunks/[name]-[hash]',
    logLevel: 'warning',
  })
  writeFileSync(`${root}dist/src/LICENSES.txt`, licensesOf(Object.keys(metafile.inputs)))
  chmodSync(`${root}dist/src/cli/main.js`, 0o755)
}

const worker = await build({
  entryPoints: [
    { in: `${root}worker/entry.ts`, out: 'entry' },
    { in: `${root}worker/engines/strands/on-demand.ts`, out: 'on-demand' },
    { in: `${root}worker/engines/strands/translate/entry.ts`, out: 'translate' },
    { in: `${root}worker/engines/bash/bash-engine.ts`, out: 'bash' },
  ],
  outdir: `${root}dist/worker`,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.18',
  metafile: true,
  write: false,
  logLevel: 'warning',
})
writeWhole(worker.outputFiles)
copyFileSync(`${root}worker/engines/strands/empty-file`, `${root}dist/worker/empty-file`)
writeFileSync(`${root}dist/worker/LICENSES.txt`, licensesOf(Object.keys(worker.metafile.inputs)))
for (const [source, file] of [
  ['src/places/cells/inside/entry.ts', 'dist/cell/entry.js'],
  ['src/argv/local/sync/entry.ts', 'dist/argv/sync-entry.js'],
]) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${root}${source}`],
    outfile: `${root}${file}`,
    bundle: true,
    // The cell's schemas are bundled: a copy of the file needs no package but `piscina`.
    external: ['piscina'],
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  writeWhole(outputFiles)
  const licenses = licensesOf(Object.keys(metafile.inputs))
  if (licenses !== '') writeFileSync(`${root}${dirname(file)}/LICENSES.txt`, licenses)
}
writeFileSync(
  `${root}dist/cell/entry.d.ts`,
  '/** The cell entry: a file to start a process with, by its path (`cellUrl`), never to import. */\nexport {}\n',
)
writeFileSync(
  `${root}dist/worker/entry.d.cts`,
  '/** The worker entry: a file to load in a worker thread, by its path (`workerUrl`), never to import. */\ndeclare const adopt: (task: unknown) => Promise<number>\nexport default adopt\n',
)

/** Replaces files at once: threads and processes that start meanwhile read the old or the new. */
function writeWhole(files) {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, contents)
    renameSync(`${path}.${process.pid}`, path)
  }
}

/** The licences of the packages whose code is part of these files, as they ask for. */
function licensesOf(inputs) {
  const names = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  return [...new Set(names)]
    .sort()
    .map((name) => {
      const home = `${root}node_modules/${name}`
      const file = readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry))
      if (file === undefined) throw new Error(`${name} has no licence file.`)
      return `${name}\n\n${readFileSync(`${home}/${file}`, 'utf8').trim()}\n`
    })
    .join('\n---\n\n')
}
