import { EXIT, SIGNAL_EXITS } from './exit-codes.ts'
import { PROGRAM } from './failure.ts'

/** What follows the list of subcommands. */
export const overview = `
Examples:
  $ ${PROGRAM} run -- 'echo hello | tr a-z A-Z'
  $ ${PROGRAM} run --bind ./src:/work:copy --cwd /work -- grep -rn TODO .
  $ ${PROGRAM} run --help
  $ ${PROGRAM} doctor
`

/** What follows the options of `run`. */
export const runDetails = `
COMMAND:
  one word        a shell command, such as 'ls | wc -l'
  several words   a program and its arguments; each arrives as it is, spaces, quotes and
                  signs like | and * included
  -               the shell command is read from standard input

Binds:
  SRC is a host directory or file, DST an absolute path in the sandbox, MODE direct, copy or
  passthrough.
    direct       mirrored (the default): the command sees what the host held as it began, and
                 what it changed is on the host when it has ended; at most 5000 files, 64 MiB
    direct:ro    the host directory as it is, to be read only
    copy         the sandbox has its own copy: the host never sees a change
    passthrough  the engine's own writable bind, which can lose writes
    ro           read-only; the engine leaves a read-only copy writable inside the sandbox
  The form is read from its end, so SRC may hold colons and DST may not:
  a:b:/work:ro binds the directory a:b.

Network:
  Public hosts can be reached. Loopback, private, link-local and metadata addresses are
  refused, except those that begin with an --allow-url prefix.

The command has a fresh session in /home/lash, none of this process's variables, and no
standard input. Its output arrives when it has ended.

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
  $ ${PROGRAM} run - < script.sh
`
