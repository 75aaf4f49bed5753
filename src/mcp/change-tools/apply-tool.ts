import type { HostedSandbox } from '../../hosted-sandbox/hosted-sandbox.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { inputObject } from '../../tools/input-object.ts'
import { count } from '../../tools/output/numbers.ts'
import type { SandboxTool } from '../../tools/sandbox-tool.ts'
import { ToolFailure } from '../../tools/tool-failure.ts'
import { z } from '../../tools/zod.ts'
import { linesWithin, MOST_PATHS } from './bounds.ts'
import { listOf } from './list-of.ts'

/** Writes changes of a copy to the host; undefined where the sandbox has no copy. */
export function applyTool(sandbox: HostedSandbox, maxCharacters: number): SandboxTool | undefined {
  const copies = sandbox.summary.binds.filter(({ mode, readonly }) => !readonly && mode === 'copy')
  const [first, ...others] = copies
  if (first === undefined) return undefined
  const only = others.length === 0 ? first.destination : undefined
  return defineTool(
    {
      name: 'apply_changes',
      title: 'Apply changes to the host',
      description: `Writes what this session has changed in ${listOf(copies)} to the host's directory that it is a copy of. What the host changed too is kept beside it.`,
      input: inputObject({
        bind: z
          .string()
          .optional()
          .describe(
            only === undefined
              ? `Which copy: ${copies.map(({ destination }) => destination).join(' or ')}.`
              : `The copy. Default: ${only}.`,
          ),
        paths: z
          .array(z.string())
          .optional()
          .describe('The absolute paths to write. Default: every change of the copy.'),
      }),
      output: z.object({
        written: z.array(z.string()).describe('What was added or changed on the host.'),
        removed: z.array(z.string()).describe('What was removed from it.'),
        conflicts: z
          .array(
            z.object({
              path: z
                .string()
                .describe('What the host had changed too. The host has the version of this session.'),
              kept: z
                .string()
                .optional()
                .describe("Where the host's version is, unless the host had removed it."),
            }),
          )
          .describe('What both sides had changed.'),
        truncated: z.boolean().describe(`Whether a list has more than the ${MOST_PATHS} that are here.`),
      }),
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      async run({ bind = only, paths }, { signal, step }) {
        if (bind === undefined) {
          throw new ToolFailure(
            'INVALID_INPUT',
            `There are several copies: name one as \`bind\`: ${listOf(copies)}.`,
          )
        }
        const { written, removed, conflicts } = await step(() =>
          sandbox.applyChanges({ bind, paths, signal }),
        )
        const counts = `${count(written.length, 'path')} written, ${count(removed.length, 'path')} removed.`
        const notes = conflicts.map(({ path, kept }) =>
          kept === undefined
            ? `${path}: the host had removed it.`
            : `${path}: the host had changed it too; its version is ${kept}.`,
        )
        const lines = linesWithin(notes.slice(0, MOST_PATHS), maxCharacters)
        const more = lines.length < notes.length ? [`[${notes.length - lines.length} more such notes.]`] : []
        return {
          text: [counts, ...lines, ...more].join('\n'),
          data: {
            written: written.slice(0, MOST_PATHS),
            removed: removed.slice(0, MOST_PATHS),
            // Where it is on the host is not for the model.
            conflicts: conflicts
              .slice(0, MOST_PATHS)
              .map(({ path, kept }) => ({ path, ...(kept === undefined ? {} : { kept }) })),
            truncated: [written, removed, conflicts].some(({ length }) => length > MOST_PATHS),
          },
        }
      },
    },
    sandbox.summary,
  )
}
