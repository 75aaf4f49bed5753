import type { HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { MirrorError } from '../sandbox/errors.ts'
import type { ExecuteOptions } from '../sandbox/results.ts'
import { MAX_STDIN } from '../sandbox/stdin.ts'
import { EXIT } from './exit-codes.ts'
import { usageError } from './failure.ts'
import { commandOfStream, commandOfWords } from './options/command-text.ts'
import { inTermsOfOptions } from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'
import { bytesOfStream } from './options/standard-input.ts'
import { type Outputs, writeBoth } from './output.ts'
import { errorRecord, resultRecord, secondsSince, writeRecord } from './records.ts'
import { makeSandbox, openIn } from './sandbox.ts'

/** The options of `run`, as commander hands them over. */
export interface RunSubcommandOptions extends SandboxOptions {
  readonly cwd?: string
  readonly json?: boolean
  readonly stdin?: boolean
}

/** Runs a command in a sandbox of its own; gives the command's exit code. */
export async function run(
  words: readonly string[],
  options: RunSubcommandOptions,
  outputs: Outputs,
): Promise<number> {
  try {
    const sandbox = await makeSandbox(options, 'strands')
    const fromInput = words.length === 1 && words[0] === '-'
    if (fromInput && options.stdin === true)
      throw usageError('--stdin cannot be used with "-": standard input is the command.')
    const command = fromInput ? await commandOfStream(process.stdin) : commandOfWords(words)
    const stdin =
      options.stdin === true
        ? await bytesOfStream(process.stdin, 'what the command reads', {
            most: MAX_STDIN,
            instead: 'Bind the file instead: --bind FILE:/in:ro.',
          })
        : undefined
    await openIn(sandbox, options.cwd)
    return await (options.json === true ? record : stream)(sandbox, command, { stdin }, outputs)
  } catch (error) {
    const failure = inTermsOfOptions(error, options)
    if (options.json === true) await writeRecord(outputs.stdout, errorRecord(failure))
    throw failure
  }
}

type Input = Pick<ExecuteOptions, 'stdin'>

async function record(
  sandbox: HostedSandbox,
  command: string,
  input: Input,
  { stdout }: Outputs,
): Promise<number> {
  const start = performance.now()
  const result = await sandbox.execute(command, input)
  await writeRecord(stdout, { ...resultRecord(result), seconds: secondsSince(start) })
  return result.exitCode
}

async function stream(
  sandbox: HostedSandbox,
  command: string,
  input: Input,
  outputs: Outputs,
): Promise<number> {
  let exitCode: number = EXIT.runtime
  try {
    for await (const event of sandbox.executeStreaming(command, input)) {
      if (event.type === 'streamChunk') await outputs[event.streamType].write(event.data)
      else exitCode = event.exitCode
    }
  } catch (error) {
    // The command ran, and of its files not all reached the host.
    if (error instanceof MirrorError) await writeBoth(error, outputs)
    throw error
  }
  return exitCode
}
