import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { listOf } from '../options/list-of.ts'
import { parseDirectory } from '../options/parse-directory.ts'
import { parseLabel } from '../options/parse-label.ts'
import { addShellOption } from '../options/sandbox-options.ts'
import type { PolicyOptions } from '../policy.ts'

/** Adds `policy`. */
export function addPolicy(program: Command, { outputs, exit }: Context): void {
  const command = program
    .command('policy')
    .usage('--file FILE [options] [--] COMMAND…')
    .description('tell what a policy decides on a command, and what the text of the command says')
    .argument('<command...>')
    .requiredOption(
      '--file <file>',
      'rules in JSON, or a module whose default export is a policy or an array of them',
    )
  addShellOption(command, 'bash')
    .option('--label <KEY=VALUE>', 'a label of the sandbox (repeatable)', listOf(parseLabel))
    .option('--cwd <dir>', 'the directory of the call', parseDirectory)
    .option('--json', 'print one JSON object')
    .addHelpText('after', details)
    .passThroughOptions()
    .action(async (words: string[], options: PolicyOptions) => {
      const { policy } = await import('../policy.ts')
      exit(await policy(words, options, outputs))
    })
}

const details = `
The command does not run, and no approver is asked. Policies have five seconds each.
One word is a shell command; several are a program and its arguments.

A file whose name ends in .json has rules: allowCommands, denyCommands, readOnly, protectPaths.
  {"allowCommands":["cat","ls"],"readOnly":{"except":["/tmp"]}}
A module runs in this process: give only one that you trust.
  import { allowCommands } from '${PROGRAM}/policy'
  export default allowCommands(['cat', 'ls'])

--json:
  {"verdict":"denied","reason":"…","command":"…","analysis":{"parsed":true,"commands":[…],…}}
  verdict is "allowed", "denied" or "asks"; command is the one that would run.

In bash the engine also refuses programs and writes while a command runs, by the rules of the
ready-made policies: "allowed" says what the policy decides before.

Exit code:
  0    the command may run
  ${EXIT.asks}    the policy asks for an approval
  ${EXIT.denied}  the policy denies it
  ${EXIT.usage}    the command line is not valid, or the file has no policy

Examples:
  $ ${PROGRAM} policy --file policy.mjs 'rm -r build'
  $ ${PROGRAM} policy --file policy.mjs --shell strands --label team=docs 'cat a | sh'
  $ ${PROGRAM} policy --file policy.mjs --json 'ls' | jq .analysis.commands
`
