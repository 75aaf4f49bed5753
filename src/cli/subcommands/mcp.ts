import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { bindHelp, sandboxHelp } from '../help.ts'
import type { McpOptions } from '../mcp.ts'
import { listOf } from '../options/list-of.ts'
import { parseCount } from '../options/parse-count.ts'
import { parseDirectory } from '../options/parse-directory.ts'
import { parseSeconds } from '../options/parse-seconds.ts'
import { addSandboxOptions } from '../options/sandbox-options.ts'

/** Adds `mcp`. */
export function addMcp(program: Command, { outputs, exit }: Context): void {
  const command = program
    .command('mcp')
    .description('serve sandboxes to agents over the Model Context Protocol, one a session')
    .allowExcessArguments(false)
    .option('--http <port>', 'serve over HTTP on this port (default: stdio)', parseCount('--http', 0, 65_535))
    .option('--hostname <address>', 'listen on this address (default: 127.0.0.1)')
    .option('--allow-host <name>', 'accept this Host of requests, too (repeatable)', listOf(String))
    .option('--allow-origin <origin>', 'accept this Origin of requests (repeatable)', listOf(String))
    .option('--max-sessions <n>', 'sessions at once over HTTP (default: 64)', parseCount('--max-sessions'))
    .option(
      '--idle-timeout <seconds>',
      'close a session without a call for so long (default: 1800)',
      parseSeconds('--idle-timeout'),
    )
    .option('--sessions <dir>', 'store sandboxes here, and go on with them after a restart')
    .option('--session <name>', 'what the sandbox of stdio is stored under (default: default)')
    .option('--changes', 'offer a tool that tells what was changed in bound directories')
    .option('--apply-changes', 'offer a tool that writes changes of a :copy bind to the host, unseen by you')
  addSandboxOptions(command, { shell: 'bash', isolation: 'process' })
    .option('--cwd <dir>', 'the directory of a session; made where it does not exist', parseDirectory)
    .addHelpText('after', details)
    .action(async (options: McpOptions) => {
      const { mcp } = await import('../mcp.ts')
      exit(await mcp(options, outputs.stderr))
    })
}

const details = `
Over stdio standard output is the protocol's alone; this program writes to standard error. An
entry for a client's configuration:
  {"mcpServers":{"sandbox":{"command":"npx",
  "args":["-y","${PROGRAM}","mcp","--python"]}}}

Over HTTP requests carry "Authorization: Bearer TOKEN" where the environment variable
STRANDS_SHELL_MCP_TOKEN has the token (at least 16 characters). Without one the server listens
on loopback alone.

--sessions: a sandbox is stored after each call, and where it would be closed; a later session of
its client goes on with it. Over stdio that is the session "default" or --session, which
"${PROGRAM} repl --session" opens too. Over HTTP it belongs to the token, and of
sessions at once each has its own. --session alone stores in the directory of "repl".
${bindHelp}${sandboxHelp}
Exit code:
  0    the input ended, or a signal stopped the server in order; a second one ends it at once
  ${EXIT.usage}    the command line is not valid
  ${EXIT.runtime}  the server failed, as where its port is taken

Examples:
  $ ${PROGRAM} mcp
  $ ${PROGRAM} mcp --shell strands --bind ./notes:/notes
  $ ${PROGRAM} mcp --bind .:/work:copy --changes --apply-changes
  $ ${PROGRAM} mcp --config sandbox.toml --network none
  $ ${PROGRAM} mcp --session agent
  $ STRANDS_SHELL_MCP_TOKEN=… ${PROGRAM} mcp --http 8080 --hostname 0.0.0.0 \\
      --allow-host mcp.example.com
`
