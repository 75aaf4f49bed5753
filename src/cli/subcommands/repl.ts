import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { bindHelp, sandboxHelp } from '../help.ts'
import { parseDirectory } from '../options/parse-directory.ts'
import { addSandboxOptions } from '../options/sandbox-options.ts'
import type { ReplOptions } from '../repl.ts'

/** Adds `repl`. */
export function addRepl(program: Command, { outputs, exit }: Context): void {
  const command = program
    .command('repl')
    .description('open a sandbox and run command after command in its session')
    .allowExcessArguments(false)
  addSandboxOptions(command, { shell: 'bash', isolation: 'worker' })
    .option('--cwd <dir>', "the sandbox's directory to begin in (default: its home)", parseDirectory)
    .option('--no-history', 'neither read nor keep a history')
    .option('--session <name>', 'go on with the stored session of this name, and store it; or begin it')
    .option('--sessions <dir>', 'where sessions are stored (default: a directory of this user alone)')
    .addHelpText('after', details)
    .action(async (options: ReplOptions) => {
      const { repl } = await import('../repl.ts')
      exit(await repl(options, outputs))
    })
}

const details = `
On a terminal:
  Tab            completes commands and the sandbox's paths
  Ctrl-C         gives the command up and keeps the session. Bash stops it at once; Strands Shell
                 ends it at its time limit at the latest, and the next one waits for that. At
                 the prompt it drops what was typed
  Ctrl-D, exit   end the session; "exit 3" ends it with exit code 3
  Up, Ctrl-R     go through the history: 1000 lines in $XDG_STATE_HOME/${PROGRAM}/history
                 (~/.local/state), for its owner alone. A line that begins with a space is not
                 kept
  A command that is not finished goes on in the next line, after "> ".

--session: the session is stored after each command and at the end, also where SIGTERM, SIGINT
or SIGHUP ends the program: files, variables, functions and directory. What options and config
file begin a session with (--file, --env, --writable, --init) counts for a new one alone. The
directory is $XDG_STATE_HOME/${PROGRAM}/sessions (~/.local/state). Where
another process stores one under the same name, this one goes on as "<name>-2".

Without a terminal commands are read from standard input, to its end or to "exit"; a lost
session ends it.
${bindHelp}${sandboxHelp}
Exit code:
  that of the last command, or
  ${EXIT.usage}    the command line is not valid, or asks for what the sandbox refuses
  ${EXIT.runtime}  the sandbox failed, or its session could not be stored

Examples:
  $ ${PROGRAM} repl
  $ ${PROGRAM} repl --python
  $ ${PROGRAM} repl --session work
  $ ${PROGRAM} repl --shell strands --bind .:/work:copy --cwd /work
  $ ${PROGRAM} repl --config sandbox.toml --network none
  $ printf '%s\\n' 'cd /tmp' 'pwd' | ${PROGRAM} repl
`
