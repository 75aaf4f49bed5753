import { EXIT, SIGNAL_EXITS } from './exit-codes.ts'
import { PROGRAM } from './failure.ts'

/** What follows the list of subcommands. */
export const overview = `
Examples:
  $ ${PROGRAM} run -- 'echo hello | tr a-z A-Z'
  $ ${PROGRAM} run --bind ./src:/work:copy --cwd /work -- grep -rn TODO .
  $ ${PROGRAM} repl
  $ ${PROGRAM} repl --shell strands --bind .:/work --cwd /work
  $ ${PROGRAM} batch jobs.jsonl --concurrency 4 > results.jsonl
  $ ${PROGRAM} mcp --python
  $ ${PROGRAM} serve --data ./data
  $ ${PROGRAM} audit audit.log --failed --follow
  $ ${PROGRAM} commands awk jq
  $ ${PROGRAM} policy --file policy.mjs 'rm -r build'
  $ ${PROGRAM} doctor

Shells:
  bash     what models write: bash and its usual programs. Default of "repl", "batch" and "mcp".
           Needs the package just-bash; a message says which version to install
  strands  Strands Shell: fast and native, about 40 commands, Bourne syntax. Default of "run"

Every subcommand has its own help: ${PROGRAM} run --help

Exit codes:
  0      all is well; "run" and "repl" exit as their command did
  ${EXIT.failed}      a job of a batch failed, a command is not there, a line of an audit log is damaged, the doctor
         found something wrong
  ${EXIT.usage}      the command line, a config file or a line of a strict batch is not valid
  ${EXIT.asks}      "policy": the policy asks for an approval
  ${EXIT.timeout}    the time limit of a command passed
  ${EXIT.runtime}    the sandbox failed, or its shell is not installed; "doctor" looks for the cause
  ${EXIT.denied}    a policy denies the command
  ${SIGNAL_EXITS.SIGHUP}, ${SIGNAL_EXITS.SIGINT}, ${SIGNAL_EXITS.SIGTERM}  ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM

Environment:
  DEBUG=1                      adds stacks to messages
  XDG_STATE_HOME               where "repl" keeps its history (default: ~/.local/state)
  RUST_MIN_STACK               bytes of a native stack (default: 1 GiB, reserved and not used)
  STRANDS_SHELL_RUNTIME_CACHE  where the engine is made to fit an older C library
  NO_COLOR, FORCE_COLOR        as everywhere

Messages of this program begin with "${PROGRAM}:" and go to standard error.
`

/** What a bind is. */
export const bindHelp = `
Binds:
  SRC is a host directory or file, DST an absolute path in the sandbox, MODE direct, copy or
  passthrough.
    direct       the default. bash: live, each read and write is one on the host.
                 strands: mirrored: the command sees what the host held as it began, and
                 what it changed is on the host when it has ended; at most 5000 files, 64 MiB
    direct:ro    the host directory as it is, to be read only
    copy         the sandbox has its own copy: the host never sees a change
    passthrough  strands only: the engine's own writable bind, which can lose writes
    ro           read-only; strands leaves a read-only copy writable inside the sandbox
  The form is read from its end, so SRC may hold colons and DST may not:
  a:b:/work:ro binds the directory a:b.
`

/** Which shells there are, what a config file is, how sandboxes are isolated, and what they reach. */
export const sandboxHelp = `
Shell:
  bash     bash and its usual programs, in JavaScript; every directory can be written. Needs the
           package just-bash
  strands  Strands Shell: native, about 40 commands, Bourne syntax
  An option or a field that the shell does not have is refused.

Config file:
  The fields of StrandsShellConfig or, with shell = "bash", of BashConfig, in JSON where the name
  ends in .json and in TOML otherwise:
    shell = "strands"
    timeout = 10
    env = { NAME = "value" }
    allowedUrls = ["http://localhost:8080/"]
    binds = [{ source = "src", destination = "/work", mode = "copy" }]
    files = { "/data/in.csv" = "a,1\\n", "/fixtures" = { directory = "test/fixtures" } }
    cwd = "/work"
    init = ". /work/setup.sh"
    credentials = [{ url = "https://api.example.com/", envVar = "API_TOKEN" }]
  Unknown fields are refused. Relative paths are taken from the file's directory. Options win:
  --env and --file name by name, --bind, --writable and --allow-url instead of all of the file's,
  --shell over shell.

Isolation:
  worker   a worker thread of its own
  shared   a shell in a worker thread that it shares
  process  a worker thread in a child process: contains commands that end or bloat a process

Policy file:
  Rules in JSON where the name ends in .json; all must allow a call:
    {"allowCommands":["cat","ls"],"denyCommands":["curl"],
    "readOnly":{"except":["/tmp"]},"protectPaths":["/tmp/kept"]}
  Otherwise a module whose default export is a policy or an array of them. It runs in this process.
  A command that is denied exits with ${EXIT.denied}.

Network:
  public     every public host, and the private addresses that --allow-url names (the default
             of worker and shared; Strands Shell only)
  allowlist  what --allow-url names (the default of process, and always of bash)
  none       nothing
  restricted  what --allow-url names; what cannot be held to that is refused
  Loopback, private, link-local and metadata addresses are refused unless an --allow-url prefix
  names them.
`
