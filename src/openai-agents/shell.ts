import type { Shell, ShellOutputResult, ShellResult } from '@openai/agents'
import { performance } from '../async/clock.ts'
import { MAX_TIMEOUT } from '../sandbox/arguments.ts'
import { SandboxTimeoutError } from '../sandbox/errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { failureOf } from '../tools/error-text.ts'
import { resolveToolsOptions, type SandboxToolsOptions } from '../tools/options.ts'
import { shapeStreams } from '../tools/output/shape-streams.ts'
import { hintsFor } from '../tools/shells/guide.ts'
import { type ToolKit, toolKit } from '../tools/tool-kit.ts'

/**
 * Options of {@link sandboxShell}, as those of the tools. `timeout` is of all commands of one call together, and so is
 * `maxCharacters`, of which the model can ask for less.
 */
export interface SandboxShellOptions
  extends Pick<SandboxToolsOptions, 'maxCharacters' | 'timeout' | 'spillDirectory'> {
  /**
   * Stops the commands. Give it the signal of the run: the SDK passes that to function tools alone.
   *
   * @default undefined (none)
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes the shell of a sandbox, for `shellTool({ shell: sandboxShell(sandbox) })`. The commands of a call run one after
 * the other in the sandbox's session; the first that times out, or that the sandbox fails, is the last that runs.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function sandboxShell(sandbox: Sandbox, options: SandboxShellOptions = {}): Shell {
  const { signal, ...shared } = options
  const kit = toolKit(sandbox, resolveToolsOptions(shared))
  return {
    async run({ commands, timeoutMs, maxOutputLength }): Promise<ShellResult> {
      const limit = Math.min(kit.options.maxCharacters, maxOutputLength ?? Number.POSITIVE_INFINITY)
      const secondsLeft = countdown(timeoutMs ? timeoutMs / 1000 : kit.options.timeout)
      const output: ShellOutputResult[] = []
      let room = limit
      for (const command of commands) {
        const ran = await runCommand(command, kit, { seconds: secondsLeft(), limit: room, signal })
        output.push(ran)
        if (ran.outcome.type === 'timeout' || ran.outcome.exitCode === null) break
        room = Math.max(0, room - ran.stdout.length - ran.stderr.length)
      }
      // An answer names the length that the model asked for, and none where it did not ask.
      return maxOutputLength === undefined ? { output } : { output, maxOutputLength: limit }
    },
  }
}

interface CommandLimits {
  readonly seconds: number | undefined
  readonly limit: number
  readonly signal: AbortSignal | undefined
}

async function runCommand(
  command: string,
  { sandbox, summary, spill }: ToolKit,
  { seconds, limit, signal }: CommandLimits,
): Promise<ShellOutputResult> {
  if (seconds === 0) return failure('Not run: the time of the call was over.', { type: 'timeout' })
  try {
    const result = await sandbox.execute(command, { timeout: seconds, signal })
    const { exitCode, stdout, stderr, timedOut } = result
    const shaped = await shapeStreams({ stdout, stderr }, { limit, spill, signal })
    const hints = hintsFor(stderr, summary)
    return {
      stdout: shaped.stdout,
      stderr: hints === '' ? shaped.stderr : `${shaped.stderr}${hints}\n`,
      outcome: timedOut ? { type: 'timeout' } : { type: 'exit', exitCode },
    }
  } catch (error) {
    signal?.throwIfAborted()
    const { message } = failureOf(error, summary)
    if (!(error instanceof SandboxTimeoutError)) return failure(message, { type: 'exit', exitCode: null })
    const { stdout, stderr } = await shapeStreams(error, { limit, spill, signal })
    return { stdout, stderr: `${stderr}${message}\n`, outcome: { type: 'timeout' } }
  }
}

function failure(stderr: string, outcome: ShellOutputResult['outcome']): ShellOutputResult {
  return { stdout: '', stderr, outcome }
}

/** The seconds that are left, 0 when they are over; undefined where there is no limit. */
function countdown(seconds: number | undefined): () => number | undefined {
  if (seconds === undefined) return () => undefined
  const end = performance.now() + Math.min(seconds, MAX_TIMEOUT) * 1000
  return () => Math.max(0, end - performance.now()) / 1000
}
