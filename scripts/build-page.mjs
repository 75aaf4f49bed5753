// Builds the page of the service into dist/page/.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { licensesOf } from './licenses-of.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds the page. Each file is replaced at once: a service that starts meanwhile reads the old or the new. */
export async function buildPage() {
  const { output } = await build({
    root: `${root}page`,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      cssCodeSplit: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      // xterm.js, which is loaded with the first terminal.
      chunkSizeWarningLimit: 500,
      rollupOptions: {
        output: {
          entryFileNames: 'assets/page.js',
          chunkFileNames: 'assets/[name].js',
          assetFileNames: 'assets/[name][extname]',
        },
      },
    },
  })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const files = output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])
  for (const [name, content] of [...files, ['assets/licenses.txt', licensesOf(modules)]]) {
    const path = `${root}dist/page/${name}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, content)
    renameSync(`${path}.${process.pid}`, path)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage()
