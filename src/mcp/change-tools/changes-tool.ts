import type { HostedSandbox } from '../../hosted-sandbox/hosted-sandbox.ts'
import { isWithin } from '../../sandbox/is-within.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { inputObject } from '../../tools/input-object.ts'
import type { SandboxTool } from '../../tools/sandbox-tool.ts'
import { z } from '../../tools/zod.ts'
import { linesWithin, MOST_PATHS } from './bounds.ts'
import { listOf } from './list-of.ts'

/** Tells what the session changed; undefined where the sandbox has no bind whose changes are known. */
export function changesTool(sandbox: HostedSandbox, maxCharacters: number): SandboxTool | undefined {
  const binds = sandbox.summary.binds.filter(({ mode, readonly }) => !readonly && mode !== 'passthrough')
  if (binds.length === 0) return undefined
  return defineTool(
    {
      name: 'changes',
      title: 'List changes',
      description: `Lists the files, directories and links that this session has added, changed or removed in ${listOf(binds)}. At most ${MOST_PATHS} of them.`,
      input: inputObject({
        path: z
          .string()
          .optional()
          .describe('Only what is at or below this absolute path. Default: all changes.'),
      }),
      output: z.object({
        changes: z.array(
          z.object({
            path: z.string().describe('The path in the sandbox.'),
            kind: z.enum(['file', 'directory', 'link']).describe('What it is, or was.'),
            change: z.enum(['added', 'changed', 'removed']).describe('What became of it.'),
          }),
        ),
        truncated: z.boolean().describe('Whether there are more changes.'),
      }),
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      async run({ path: top }, { signal, step }) {
        const report = await step(() => sandbox.changes({ signal }))
        const below = top?.replace(/(?<=.)\/+$/, '')
        const found = report.changes.filter((one) => below === undefined || isWithin(below, one.path))
        const lines = linesWithin(
          found.slice(0, MOST_PATHS).map(({ change, kind, path }) => `${change} ${kind} ${path}`),
          maxCharacters,
        )
        const changes = found.slice(0, lines.length).map(({ path, kind, change }) => ({ path, kind, change }))
        const truncated = changes.length < found.length
        const more = truncated ? [`[${found.length - changes.length} more: name a path.]`] : []
        return {
          text: [...(found.length === 0 ? ['(no changes)'] : lines), ...more].join('\n'),
          data: { changes, truncated },
        }
      },
    },
    sandbox.summary,
  )
}
