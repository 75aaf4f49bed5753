import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT, SIGNAL_EXITS } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { bindHelp, sandboxHelp } from '../help.ts'
import { parseDirectory } from '../options/parse-directory.ts'
import { addSandboxOptions } from '../options/sandbox-options.ts'
import type { RunSubcommandOptions } from '../run.ts'

/** Adds `run`. */
export function addRun(program: Command, { outputs, exit }: Context): void {
  const command = program
    .command('run')
    .usage('[options] [--] COMMAND…')
    .description('run a command in a sandbox of its own, and exit with its exit code')
    .argument('<command...>')
  addSandboxOptions(command, { shell: 'strands', isolation: 'worker' })
    .option('--cwd <dir>', "the sandbox's directory to run in (default: its home)", parseDirectory)
    .option('--stdin', "give the command this program's standard input, read to its end first")
    .option('--json', 'print one JSON object instead of what the command prints')
    .addHelpText('after', details)
    .passThroughOptions()
    .action(async (words: string[], options: RunSubcommandOptions) => {
      const { run } = await import('../run.ts')
      exit(await run(words, options, outputs))
    })
}

const details = `
COMMAND:
  one word        a shell command, such as 'ls | wc -l'
  several words   a program and its arguments; each arrives as it is, spaces, quotes and
                  signs like | and * included
  -               the shell command is read from standard input
${bindHelp}${sandboxHelp}
The command has a fresh session in its home and none of this process's variables. Without
--stdin it reads nothing of standard input. Its output arrives when it has ended.

--json:
  {"exitCode":0,"stdout":"…","stderr":"…","seconds":0.012}
  {"exitCode":125,"error":{"code":"WORKER_LOST","message":"…"}}
  exitCode is what the program exits with, too. The codes are those of docs/errors.md.

Exit code:
  the command's own, or
  ${EXIT.usage}    the command line is not valid, or asks for what the sandbox refuses
  ${EXIT.timeout}  the time limit passed
  ${EXIT.runtime}  the sandbox failed; "${PROGRAM} doctor" looks for the cause
  ${SIGNAL_EXITS.SIGHUP}, ${SIGNAL_EXITS.SIGINT}, ${SIGNAL_EXITS.SIGTERM}  ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM
  Messages of this program begin with "${PROGRAM}:"; DEBUG=1 adds the stack.

Examples:
  $ ${PROGRAM} run -- 'for n in 1 2 3; do echo $n; done'
  $ ${PROGRAM} run --bind ./src:/work:copy -- 'grep -rl TODO /work | sort'
  $ ${PROGRAM} run --bind .:/work:ro --cwd /work -- jq -r '.name, .version' package.json
  $ ${PROGRAM} run --env NAME="$USER" --timeout 2.5 -- 'echo "hello $NAME"; sleep 60'
  $ ${PROGRAM} run --allow-url http://localhost:8080 -- curl http://localhost:8080/x
  $ ${PROGRAM} run --network none --json -- 'date; uname' | jq -r .stderr
  $ ${PROGRAM} run --shell bash -- 'list=(a b); echo "\${list[1]}"'
  $ ${PROGRAM} run --stdin -- 'sort | uniq -c' < names.txt
  $ ${PROGRAM} run - < script.sh
`
