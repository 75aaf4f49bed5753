import type { Command } from 'commander'
import type { EngineName } from '../../contract/lease.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { addShellOption } from '../options/sandbox-options.ts'

/** Adds `commands`. */
export function addCommands(program: Command, { outputs, exit }: Context): void {
  const command = program
    .command('commands')
    .usage('[options] [NAME…]')
    .description('tell which commands a shell has, which it lacks, and what to use instead')
    .argument('[names...]', 'tell about these only')
    .option('--json', 'print one JSON object')
  addShellOption(command, 'strands')
    .addHelpText('after', details)
    .action(async (names: string[], { json = false, shell = 'strands' }: CommandsOptions) => {
      const { commands } = await import('../commands.ts')
      exit(await commands(names, outputs, { shell, json }))
    })
}

interface CommandsOptions {
  readonly json?: boolean
  readonly shell?: EngineName
}

const details = `
--json:
  {"commands":["basename",…],"builtins":["cd",…],"missing":[{"names":["awk"],"instead":"…"}],
  "flags":[{"names":["sort -V"],"instead":"…"}]}, and of names
  {"names":[{"name":"awk","there":false,"instead":"…"}]}

Exit code:
  0  all that was asked for is there
  ${EXIT.failed}  something is not

Examples:
  $ ${PROGRAM} commands
  $ ${PROGRAM} commands awk jq sed
  $ ${PROGRAM} commands --shell bash awk git
  $ ${PROGRAM} commands --json | jq -r '.commands[]'
`
