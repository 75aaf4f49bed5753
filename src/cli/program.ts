import { Command, CommanderError } from 'commander'
import { packageVersion } from '../sandbox/package-version.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-codes.ts'
import { PROGRAM, usageError } from './failure.ts'
import { overview } from './help.ts'
import type { Outputs } from './output.ts'
import { addAudit } from './subcommands/audit.ts'
import { addBatch } from './subcommands/batch.ts'
import { addCommands } from './subcommands/commands.ts'
import { addDoctor } from './subcommands/doctor.ts'
import { addMcp } from './subcommands/mcp.ts'
import { addPolicy } from './subcommands/policy.ts'
import { addRepl } from './subcommands/repl.ts'
import { addRun } from './subcommands/run.ts'
import { addServe } from './subcommands/serve.ts'
import { addSessions } from './subcommands/sessions.ts'

/**
 * Parses the words of a command line and does what they say; gives the exit code.
 *
 * @throws CliError for a command line that is not valid.
 */
export async function runProgram(args: readonly string[], outputs: Outputs): Promise<number> {
  const texts = { stdout: '', stderr: '' }
  let exitCode = 0
  const exit = (code: number) => {
    exitCode = code
  }
  const program = createProgram(texts, { outputs, exit })
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

function createProgram(texts: Texts, context: Context): Command {
  const program = new Command(PROGRAM)
    .description('Runs commands in sandboxes of bash or Strands Shell, in supervised workers.')
    .option('-V, --version', 'print the version')
    .on('option:version', () => {
      const version = packageVersion()
      texts.stdout += `${version}\n`
      throw new CommanderError(0, 'commander.version', version)
    })
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
  for (const add of [
    addRun,
    addRepl,
    addBatch,
    addMcp,
    addServe,
    addSessions,
    addAudit,
    addCommands,
    addPolicy,
    addDoctor,
  ])
    add(program, context)
  return program
}

/** Zero where help or the version was asked for; a missing subcommand has had the help on standard error. */
function usageExitCode(error: CommanderError, args: readonly string[], program: Command): number {
  if (error.exitCode === 0) return 0
  if (error.code === 'commander.help') return EXIT.usage
  const named = program.commands.find((command) => command.name() === args[0])
  const help = [PROGRAM, ...(named === undefined ? [] : [named.name()]), '--help'].join(' ')
  throw usageError(`${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (See: ${help})`)
}
