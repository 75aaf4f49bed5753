import { readFileSync } from 'node:fs'

/** Where Piscina names the file that its threads begin with. */
const ownThread = "(0, node_path_1.resolve)(__dirname, 'worker.js')"

/**
 * Bundles Piscina, whose fifteen files take a process 20 ms to find and load. Its threads begin with the file of its tasks, the
 * worker entry, which holds the loop of Piscina's own (`worker/service/take-tasks.ts`).
 */
const bundledPool = {
  name: 'bundled-pool',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/piscina\/dist\/index\.js$/ }, ({ path }) => {
      const [before, after, ...others] = readFileSync(path, 'utf8').split(ownThread)
      if (after === undefined || others.length > 0)
        throw new Error(`Piscina does not name the file of its threads as ${ownThread}.`)
      return { contents: `${before}this.options.filename${after}`, loader: 'js' }
    })
  },
}

/** Piscina is bundled but for a package that it does without. */
export const pool = { plugins: [bundledPool], external: ['@napi-rs/nice'] }

/** What CommonJS modules in a bundled ES module call. Whoever makes CommonJS of it has no `import.meta.url`. */
export const requireOfModule =
  "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url ?? __filename);"
