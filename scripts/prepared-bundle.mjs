import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Searches the text of just-bash for what is changed in it as the package is built, so that no thread does. Puts what was found
 * in the place of the module that would search.
 *
 * @param root - of the repository, with a slash at its end
 */
export function preparedBundle(root) {
  return {
    name: 'prepared-bundle',
    setup({ onLoad }) {
      onLoad({ filter: /\/worker\/engines\/bash\/bundle\/prepared\.ts$/ }, async () => {
        const { assertPinned, prepare } = await imported(`${root}worker/engines/bash/bundle`)
        const file = fileURLToPath(import.meta.resolve('just-bash')).replace(/[^/]+$/, 'index.js')
        const source = readFileSync(file, 'utf8')
        assertPinned(source)
        const found = JSON.stringify(prepare(source))
        return { contents: `const found = ${found}\nexport const prepared = () => found`, loader: 'js' }
      })
    },
  }
}

async function imported(directory) {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { assertPinned } from './pinned.ts'\nexport { prepare } from './prepare.ts'",
      resolveDir: directory,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
