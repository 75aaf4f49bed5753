import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { bindHelp, sandboxHelp } from '../help.ts'
import { listOf } from '../options/list-of.ts'
import { parseCount } from '../options/parse-count.ts'
import { parseNodeLabel } from '../options/parse-label.ts'
import { parseSeconds } from '../options/parse-seconds.ts'
import { parseTemplate } from '../options/parse-template.ts'
import { addSandboxOptions } from '../options/sandbox-options.ts'
import type { ServeCommandOptions } from '../serve.ts'

/** Adds `serve`. */
export function addServe(program: Command, { outputs, exit }: Context): void {
  const command = program
    .command('serve')
    .description('serve sandboxes over HTTP and WebSocket')
    .allowExcessArguments(false)
    .option('--port <port>', 'listen on this port (default: 7300)', parseCount('--port', 0, 65_535))
    .option('--hostname <address>', 'listen on this address (default: 127.0.0.1)')
    .option('--token <token>', 'the bearer token of all clients (default: one in DIR/token)')
    .option('--tokens <file>', 'the tokens of clients, with scopes and labels, in a JSON file')
    .option('--data <dir>', 'keep sandboxes here (default: ~/.local/state/strands-shell-runtime/serve)')
    .option(
      '--template <NAME=FILE>',
      'let clients open the sandbox config of this file, too (repeatable)',
      listOf(parseTemplate),
    )
    .option('--allow-host <name>', 'accept this Host of requests, too (repeatable)', listOf(String))
    .option('--allow-origin <origin>', 'accept this Origin of requests (repeatable)', listOf(String))
    .option('--cluster <redis>', 'be a node of the cluster at this redis:// address, whose nodes share DIR')
    .option('--cluster-name <name>', 'the name of the cluster (default: default)')
    .option('--advertise <url>', 'where clients of the cluster reach this node (default: where it listens)')
    .option(
      '--node-label <NAME=VALUE>',
      'what clients of the cluster choose this node by (repeatable)',
      listOf(parseNodeLabel),
    )
    .option('--no-page', 'serve no page at /')
    .option(
      '--grace <seconds>',
      'what calls under way have when a signal comes (default: 10)',
      parseSeconds('--grace'),
    )
  addSandboxOptions(command, { shell: 'bash', isolation: 'process' })
    .addHelpText('after', details)
    .action(async (options: ServeCommandOptions) => {
      const { serve } = await import('../serve.ts')
      exit(await serve(options, outputs))
    })
}

const details = `
Clients open templates and nothing else. The options of a sandbox make the template "default".

Requests carry "Authorization: Bearer TOKEN". Other users of this machine can read a command line:
STRANDS_SHELL_SERVE_TOKEN has the token where --token does not. A file of tokens:
  {"tokens":[{"name":"agents","token":"…","labels":{"tenant":"acme"}},
             {"name":"visitor","token":"…","scopes":["read"]}]}

With --cluster a session has one node at a time, and a signal hands the sessions of this one over to the
others: docs/cluster.md.

A signal ends the service in order: calls under way end, and sessions are stored. GET /health and
GET /health/ready need no token, nor do the files of the page at /, which asks for one.
${bindHelp}${sandboxHelp}
Exit code:
  0    a signal stopped the service in order; a second one ends it at once
  ${EXIT.usage}    the command line is not valid
  ${EXIT.runtime}  the service failed, as where its port is taken

Examples:
  $ ${PROGRAM} serve
  $ ${PROGRAM} serve --port 8080 --data ./data --bind ./project:/work:copy
  $ ${PROGRAM} serve --tokens tokens.json --template python=python.toml
`
