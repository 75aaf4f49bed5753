import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { EXIT } from './exit-codes.ts'
import { PROGRAM, usageError } from './failure.ts'
import { overview, runDetails } from './help.ts'
import { parseBind } from './options/parse-bind.ts'
import { parseDirectory } from './options/parse-directory.ts'
import { parseEnv } from './options/parse-env.ts'
import { parseSeconds } from './options/parse-seconds.ts'
import type { RunOptions } from './options/sandbox-config.ts'
import type { Outputs } from './output.ts'

/** The package's version. */
function packageVersion(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)(`${PROGRAM}/package.json`)
  return manifest.version
}

/**
 * Parses the words of a command line and does what they say; gives the exit code.
 *
 * @throws CliError for a command line that is not valid.
 */
export async function runProgram(args: readonly string[], outputs: Outputs): Promise<number> {
  const texts = { stdout: '', stderr: '' }
  let exitCode = 0
  const program = createProgram(texts, outputs, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    exitCode = usageExitCode(error, args, program)
  } finally {
    await outputs.stdout.write(texts.stdout)
    await outputs.stderr.write(texts.stderr)
  }
  return exitCode
}

type Texts = Record<'stdout' | 'stderr', string>

function createProgram(texts: Texts, outputs: Outputs, exit: (code: number) => void): Command {
  const program = new Command(PROGRAM)
    .description('Runs commands in a native Strands Shell sandbox, in a supervised worker thread.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', overview)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        texts.stdout += text
      },
      writeErr: (text) => {
        texts.stderr += text
      },
      outputError: () => undefined,
    })
  addRun(program, outputs, exit)
  program
    .command('doctor')
    .description('check that sandboxes work on this machine, and say what to do where they do not')
    .allowExcessArguments(false)
    .action(async () => {
      const { doctor } = await import('./doctor.ts')
      exit(await doctor(packageVersion(), outputs))
    })
  return program
}

function addRun(program: Command, outputs: Outputs, exit: (code: number) => void): void {
  program
    .command('run')
    .usage('[options] [--] COMMAND…')
    .description('run a command in a sandbox of its own, and exit with its exit code')
    .argument('<command...>')
    .option(
      '--bind <SRC:DST[:MODE][:ro]>',
      'show a host directory in the sandbox (repeatable)',
      listOf(parseBind),
    )
    .option('--allow-url <url>', 'allow a loopback or private address prefix (repeatable)', listOf(String))
    .option('--env <NAME=VALUE>', 'set a variable of the session (repeatable)', listOf(parseEnv))
    .option(
      '--timeout <seconds>',
      'end the command after this time, with exit code 124 (default: 30)',
      parseSeconds,
    )
    .option('--cwd <dir>', "the sandbox's directory to run in (default: /home/lash)", parseDirectory)
    .addHelpText('after', runDetails)
    .passThroughOptions()
    .action(async (words: string[], options: RunOptions) => {
      const { run } = await import('./run.ts')
      exit(await run(words, options, outputs))
    })
}

function listOf<T>(parse: (text: string) => T): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, parse(text)]
}

/** Zero where help or the version was asked for; a missing subcommand has had the help on standard error. */
function usageExitCode(error: CommanderError, args: readonly string[], program: Command): number {
  if (error.exitCode === 0) return 0
  if (error.code === 'commander.help') return EXIT.usage
  const named = program.commands.find((command) => command.name() === args[0])
  const help = [PROGRAM, ...(named === undefined ? [] : [named.name()]), '--help'].join(' ')
  throw usageError(`${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (See: ${help})`)
}
