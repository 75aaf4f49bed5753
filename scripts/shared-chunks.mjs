import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'

/**
 * Builds entries with few chunks. esbuild makes a chunk of each set of modules that the same entries share, and Node takes
 * as long to find, read and link a small one as to read 8 KB of code. So entries that need one module of a group load all of it.
 *
 * @param options - of esbuild. `absWorkingDir` ends with a slash
 * @param groupsOf - from the modules that each entry needs at its import, the groups: modules, and the entries that load them
 * @param read - has the text of a source. Default: what the file holds
 */
export async function buildWithSharedChunks(options, groupsOf, read) {
  const { metafile } = await build({ ...options, metafile: true, write: false })
  const groups = groupsOf(modulesByEntry(metafile))
  return build({
    ...options,
    metafile: true,
    write: false,
    plugins: [loadGroups(options.absWorkingDir, groups, read), ...(options.plugins ?? [])],
  })
}

/** What an import of each entry evaluates, by the paths of esbuild. What is imported later is an entry, too. */
function modulesByEntry({ inputs, outputs }) {
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  return new Map(entries.map((entry) => [entry, reachedFrom(entry, inputs)]))
}

function reachedFrom(entry, inputs) {
  const reached = new Set([entry])
  for (const path of reached)
    for (const { path: next, kind, external } of inputs[path].imports)
      if (kind === 'import-statement' && !external) reached.add(next)
  return reached
}

/** Has entries import all modules of their groups, after their own imports. */
function loadGroups(root, groups, read) {
  return {
    name: 'load-groups',
    setup({ onLoad, onResolve }) {
      onLoad({ filter: /\.[mc]?[jt]s$/ }, async ({ path }) => {
        const names = groups.flatMap(({ entries }, index) =>
          [...entries].some((entry) => `${root}${entry}` === path) ? [`import 'group:${index}'`] : [],
        )
        if (names.length === 0 && read === undefined) return undefined
        const source = await (read?.(path) ?? readFile(path, 'utf8'))
        const contents = [source, ...names].join('\n')
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      })
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group', sideEffects: true }))
      onLoad({ filter: /^group:/, namespace: 'group' }, ({ path }) => {
        const { modules } = groups[Number(path.slice('group:'.length))]
        return { contents: [...modules].map((module) => `import 'module:${module}'`).join('\n') }
      })
      onResolve({ filter: /^module:/, namespace: 'group' }, ({ path }) => ({
        path: `${root}${path.slice('module:'.length)}`,
        sideEffects: true,
      }))
    },
  }
}
