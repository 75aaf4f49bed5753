import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Where Piscina names the file that its threads begin with. */
const ownThread = "(0, node_path_1.resolve)(__dirname, 'worker.js')"

/**
 * Bundles Piscina, whose fifteen files take a process 20 ms to find and load. Its threads still begin with the file of the
 * installed package, which therefore has to be of the version that was bundled: `package.json` names it exactly.
 */
const bundledPool = {
  name: 'bundled-pool',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/piscina\/dist\/index\.js$/ }, ({ path }) => {
      const { version } = readManifest(new URL('../package.json', pathToFileURL(path)))
      const { dependencies } = readManifest(new URL('../package.json', import.meta.url))
      if (dependencies.piscina !== version)
        throw new Error(
          `package.json names piscina ${dependencies.piscina}, and ${version} is installed here.`,
        )
      const [before, after, ...others] = readFileSync(path, 'utf8').split(ownThread)
      if (after === undefined || others.length > 0)
        throw new Error(`Piscina does not name the file of its threads as ${ownThread}.`)
      const thread =
        "(0, node_path_1.join)((0, node_path_1.dirname)(require.resolve('piscina')), 'worker.js')"
      return { contents: `${before}${thread}${after}`, loader: 'js' }
    })
  },
}

/** Piscina is bundled but for a package that it does without. */
export const pool = { plugins: [bundledPool], external: ['@napi-rs/nice'] }

const readManifest = (url) => JSON.parse(readFileSync(url, 'utf8'))

/** What CommonJS modules in a bundled ES module call. Whoever makes CommonJS of it has no `import.meta.url`. */
export const requireOfModule =
  "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url ?? __filename);"
