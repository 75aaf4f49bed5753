import { SandboxSyncError } from '../sandbox/errors.ts'
import { shellQuote } from '../sandbox/quoting.ts'
import { StrandsShellSandbox } from '../strands-shell/strands-shell-sandbox.ts'
import { EXIT } from './exit-codes.ts'
import { usageError } from './failure.ts'
import { commandOfStream, commandOfWords } from './options/command-text.ts'
import { configOf, inTermsOfOptions, type RunOptions } from './options/sandbox-config.ts'
import type { Outputs } from './output.ts'

/** Runs a command in a sandbox of its own; gives the command's exit code. */
export async function run(words: readonly string[], options: RunOptions, outputs: Outputs): Promise<number> {
  try {
    const sandbox = new StrandsShellSandbox(configOf(options))
    const fromInput = words.length === 1 && words[0] === '-'
    const command = fromInput ? await commandOfStream(process.stdin) : commandOfWords(words)
    await sandbox.open()
    if (options.cwd !== undefined) await enter(sandbox, options.cwd)
    return await stream(sandbox, command, outputs)
  } catch (error) {
    throw inTermsOfOptions(error, options)
  }
}

/** Changes the session's directory itself, so that the command runs in the session and its traps fire. */
async function enter(sandbox: StrandsShellSandbox, directory: string): Promise<void> {
  const path = directory.startsWith('/') ? directory : `./${directory}`
  const { exitCode } = await sandbox.execute(`cd ${shellQuote(path)}`)
  if (exitCode === 0) return
  throw usageError(`--cwd: there is no directory ${JSON.stringify(directory)} in the sandbox.`)
}

async function stream(sandbox: StrandsShellSandbox, command: string, outputs: Outputs): Promise<number> {
  let exitCode: number = EXIT.runtime
  try {
    for await (const event of sandbox.executeStreaming(command)) {
      if (event.type === 'streamChunk') await outputs[event.streamType].write(event.data)
      else exitCode = event.exitCode
    }
  } catch (error) {
    if (error instanceof SandboxSyncError) await writeBoth(error, outputs)
    throw error
  }
  return exitCode
}

/** The output of a command that ran, and of whose files not all reached the host. */
async function writeBoth({ stdout, stderr }: SandboxSyncError, outputs: Outputs): Promise<void> {
  if (stdout !== '') await outputs.stdout.write(stdout)
  if (stderr !== '') await outputs.stderr.write(stderr)
}
