// Builds the package into dist/: the host side and the worker as few files, so that neither an import nor a
// thread spends its time on module resolution, and declarations with tsc (`npm run typecheck` is what checks).
// `--worker` builds the worker alone.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPage } from './build-page.mjs'
import { bundledCommander } from './bundled-commander.mjs'
import { bundledPackages } from './bundled-packages.mjs'
import { pool, requireOfModule } from './bundled-pool.mjs'
import { compact } from './compact-output.mjs'
import { licensesOf } from './licenses-of.mjs'
import { preparedBundle } from './prepared-bundle.mjs'
import { buildWithSharedChunks } from './shared-chunks.mjs'
import { sharedModules } from './shared-modules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What `package.json` exports, and the command line. */
const entries = [
  'index',
  ...[
    'ai-sdk',
    'argv',
    'bash',
    'cluster',
    'jail',
    'langchain',
    'mcp',
    'openai-agents',
    'otel',
    'policy',
    'posix',
    'prometheus',
    'remote',
    'service',
    'strands',
    'testing',
    'tools',
  ].map((folder) => `${folder}/index`),
  'cli/main',
]
const workerOnly = process.argv.includes('--worker')

if (!workerOnly) {
  rmSync(`${root}dist`, { recursive: true, force: true })
  const tsc = `${root}node_modules/typescript-native/bin/tsc`
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  })
  const { metafile, outputFiles } = await buildWithSharedChunks(
    {
      absWorkingDir: root,
      entryPoints: entries.map((entry) => `src/${entry}.ts`),
      outbase: root,
      outdir: `${root}dist`,
      bundle: true,
      splitting: true,
      packages: 'external',
      alias: bundledPackages(),
      ...pool,
      plugins: [...pool.plugins, bundledCommander],
      platform: 'node',
      format: 'esm',
      target: 'node20.18',
      ...compact,
      chunkNames: 'src/chunks/[name]-[hash]',
      logLevel: 'warning',
      // Modules of a group are imported for the chunk alone.
      logOverride: { 'ignored-bare-import': 'silent' },
    },
    sharedModules,
  )
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, withRequire(withClassNames(text)))
  }
  writeFileSync(`${root}dist/src/LICENSES.txt`, licensesOf(Object.keys(metafile.inputs)))
  chmodSync(`${root}dist/src/cli/main.js`, 0o755)
  await buildPage()
}

const worker = await build({
  entryPoints: [
    { in: `${root}worker/entry.ts`, out: 'entry' },
    { in: `${root}worker/service/thread-pipe.ts`, out: 'thread-pipe' },
    { in: `${root}worker/engines/strands/on-demand.ts`, out: 'on-demand' },
    { in: `${root}worker/engines/strands/translate/entry.ts`, out: 'translate' },
    { in: `${root}worker/engines/bash/bash-engine.ts`, out: 'bash' },
    { in: `${root}worker/engines/bash/make-code.ts`, out: 'make-code' },
    { in: `${root}worker/engines/jail/jail-engine.ts`, out: 'jail' },
  ],
  outdir: `${root}dist/worker`,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  external: pool.external,
  platform: 'node',
  format: 'cjs',
  target: 'node20.18',
  ...compact,
  metafile: true,
  write: false,
  logLevel: 'warning',
  plugins: [preparedBundle(root)],
})
tellOfWideText(worker.outputFiles)
writeWhole(worker.outputFiles)
copyFileSync(`${root}worker/engines/strands/empty-file`, `${root}dist/worker/empty-file`)
writeFileSync(`${root}dist/worker/LICENSES.txt`, licensesOf(Object.keys(worker.metafile.inputs)))
// All is bundled: a copy of the cell's file needs no package.
const withPool = { ...pool, banner: { js: requireOfModule } }
for (const [source, file, options] of [
  ['src/places/cells/inside/entry.ts', 'dist/cell/entry.js', withPool],
  ['src/argv/local/sync/entry.ts', 'dist/argv/sync-entry.js'],
  ['src/network/relay/entry.ts', 'dist/relay/entry.js'],
]) {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${root}${source}`],
    outfile: `${root}${file}`,
    bundle: true,
    ...options,
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    ...compact,
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
  `${root}dist/relay/entry.d.ts`,
  '/** The relay: a file to start a process with in a jail, with a port and the path of a Unix socket, never to import. */\nexport {}\n',
)
writeFileSync(
  `${root}dist/worker/entry.d.cts`,
  '/** The worker entry: a file to load in a worker thread, by its path (`workerUrl`), never to import. */\ndeclare const adopt: (task: unknown) => Promise<number>\nexport default adopt\n',
)

/**
 * Gives classes that refer to themselves their names back, which esbuild begins with `_`: users read them, in errors and
 * where they print a sandbox. Its `keepNames` would define the name of each function, too, whenever one is made. Classes inside a
 * bundled CommonJS module are out of reach, and nobody reads theirs.
 */
function withClassNames(text) {
  const renamed = [...text.matchAll(/\bvar (\w+)=class _(\w+)/g)]
  const names = renamed.map(
    ([, variable, name]) =>
      `if (typeof ${variable} === 'function') Object.defineProperty(${variable}, 'name', { value: '${name}' });\n`,
  )
  return text + names.join('')
}

/** A chunk of ES modules that holds CommonJS ones has what they load others with. */
function withRequire(text) {
  return text.includes('__require') ? requireOfModule + text : text
}

/** esbuild escapes characters that are not ASCII in code, and leaves them in templates that are read raw: such a text takes two bytes a character. */
function tellOfWideText(files) {
  for (const { path, text } of files) {
    const wide = /^.*[^\0-\x7f].*$/m.exec(text)?.[0]
    if (wide !== undefined) console.warn(`${path} has a line that is not ASCII: ${wide.trim()}`)
  }
}

/** Replaces files at once: threads and processes that start meanwhile read the old or the new. */
function writeWhole(files) {
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, text)
    renameSync(`${path}.${process.pid}`, path)
  }
}
