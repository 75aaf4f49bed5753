import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folders that the diagram shows as one box each. */
const boxes = /^(src\/[^/]+|worker\/service|worker\/host-files|worker\/engines\/[^/]+|worker)\//

/** The part of dependency-cruiser's JSON that the diagram is made of. */
interface Cruised {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly { readonly resolved: string }[]
  }[]
}

/** The imports between the folders of `src` and `worker`, types included, as a Mermaid diagram. */
export async function layerDiagram(): Promise<string> {
  const arrows = withoutShortcuts(await importsByFolder())
  const lines = [...arrows].flatMap(([from, to]) => [...to].sort().map((one) => `  ${from} --> ${one}`))
  return ['```mermaid', 'flowchart BT', ...lines.sort(), '```'].join('\n')
}

async function importsByFolder(): Promise<Map<string, Set<string>>> {
  const { stdout } = await promisify(execFile)(
    `${root}node_modules/.bin/depcruise`,
    ['src', 'worker', '--config', '.dependency-cruiser.mjs', '--output-type', 'json'],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  )
  const { modules }: Cruised = JSON.parse(stdout)
  const imports = new Map<string, Set<string>>()
  for (const { source, dependencies } of modules) {
    const from = folderOf(source)
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved)
      if (from === undefined || to === undefined || from === to) continue
      imports.set(from, (imports.get(from) ?? new Set()).add(to))
    }
  }
  return imports
}

function folderOf(file: string): string | undefined {
  return boxes.exec(file)?.[1]
}

/** Leaves out each arrow that a longer way says as well. */
function withoutShortcuts(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const reaches = (from: string, to: string): boolean => {
    const next = imports.get(from) ?? new Set()
    return next.has(to) || [...next].some((one) => reaches(one, to))
  }
  return new Map(
    [...imports].map(([from, next]) => [
      from,
      new Set([...next].filter((to) => ![...next].some((other) => other !== to && reaches(other, to)))),
    ]),
  )
}
