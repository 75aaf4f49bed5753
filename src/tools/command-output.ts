import { MirrorError, SandboxConnectionError, SandboxTimeoutError } from '../sandbox/errors.ts'
import type { ExecutionResult } from '../sandbox/results.ts'
import { type FailureText, failureOf } from './error-text.ts'
import { type ShapedStreams, type Streams, shapeStreams } from './output/shape-streams.ts'
import type { ToolHints } from './sandbox-tool.ts'
import { guideOf, hintsFor } from './shells/guide.ts'
import { ToolFailure } from './tool-failure.ts'
import type { ToolKit } from './tool-kit.ts'
import { z } from './zod.ts'

/** What a command left behind, for programs. */
export const commandOutput = z.object({
  exitCode: z.int().describe('The exit code; 0 is success.'),
  stdout: z.string().describe('Standard output, shortened where it was long.'),
  stderr: z.string().describe('Standard error, shortened where it was long.'),
  timedOut: z.boolean().describe('Whether the sandbox ended it at its time limit.'),
  truncated: z
    .boolean()
    .describe('Whether a part of the output was left out, by the sandbox or by this tool.'),
  durationMs: z.number().describe('Milliseconds that the command ran.'),
  files: z.array(z.string()).describe('Files of the sandbox that hold all of an output that was left out.'),
})

/** What is to be said of a tool that runs commands. */
export function commandHints(summary: ToolKit['summary']): ToolHints {
  return {
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: summary?.network !== 'none',
  }
}

/** What a command printed, shaped, and what there is to say about its end; empty where there is nothing. */
export interface ShapedResult extends ShapedStreams {
  readonly notes: string
}

/** Shapes what a command that ran left behind. */
export async function shapeResult(
  result: ExecutionResult,
  kit: ToolKit,
  signal: AbortSignal | undefined,
): Promise<ShapedResult> {
  const { stdout, stderr } = result
  const notes = [endText(result, kit), hintsFor(stderr, kit.summary)].filter(Boolean).join('\n')
  const shaped = await shape({ stdout, stderr }, kit, signal)
  return { ...shaped, truncated: shaped.truncated || Boolean(result.truncated), notes }
}

/** Says why a command did not run to its end, with its output so far. */
export async function explainFailure(
  error: unknown,
  kit: ToolKit,
  signal: AbortSignal | undefined,
): Promise<FailureText> {
  const { code, message } = failureOf(error, kit.summary)
  if (!hasOutput(error)) return { code, message }
  const text = streamsText(await shape(error, kit, signal))
  return { code, message: text === '' ? message : `${message}\nOutput so far:\n${text}` }
}

/** Runs a command and says what came of it. @throws ToolFailure where it did not run to its end */
export async function commandResult(
  run: () => Promise<ExecutionResult>,
  kit: ToolKit,
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string; readonly data: ReturnType<typeof commandOutput.parse> }> {
  const result = await runOrExplain(run, kit, signal)
  const { notes, files, ...shaped } = await shapeResult(result, kit, signal)
  const text = [streamsText(shaped), notes].filter(Boolean).join('\n')
  return {
    text: text === '' ? '(no output)' : text,
    data: {
      exitCode: result.exitCode,
      ...shaped,
      timedOut: result.timedOut,
      durationMs: result.durationMs,
      files: [...files],
    },
  }
}

async function runOrExplain(
  run: () => Promise<ExecutionResult>,
  kit: ToolKit,
  signal: AbortSignal | undefined,
): Promise<ExecutionResult> {
  try {
    return await run()
  } catch (error) {
    if (signal?.aborted) throw error
    const { code, message } = await explainFailure(error, kit, signal)
    throw new ToolFailure(code, message)
  }
}

function hasOutput(error: unknown): error is Error & Streams {
  return (
    error instanceof SandboxTimeoutError ||
    error instanceof SandboxConnectionError ||
    error instanceof MirrorError
  )
}

function shape(streams: Streams, kit: ToolKit, signal: AbortSignal | undefined): Promise<ShapedStreams> {
  return shapeStreams(streams, { limit: kit.options.maxCharacters, spill: kit.spill, signal })
}

function streamsText({ stdout, stderr }: Streams): string {
  const parts = [stdout.trimEnd(), stderr === '' ? '' : `[stderr]\n${stderr.trimEnd()}`]
  return parts.filter(Boolean).join('\n')
}

function endText({ exitCode, timedOut }: ExecutionResult, { summary }: ToolKit): string {
  if (timedOut) {
    const limit = summary?.timeout === undefined ? 'its time limit' : `${summary.timeout} s, its time limit`
    return `[Exit code ${exitCode}: the sandbox ended the command after ${limit}. ${guideOf(summary)?.afterDeadline ?? ''}]`
  }
  return exitCode === 0 ? '' : `[Exit code ${exitCode}.]`
}
