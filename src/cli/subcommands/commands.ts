import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'

/** Adds `commands`. */
export function addCommands(program: Command, { outputs, exit }: Context): void {
  program
    .command('commands')
    .usage('[options] [NAME…]')
    .description('tell which commands the engine has, which it lacks, and what to use instead')
    .argument('[names...]', 'tell about these only')
    .option('--json', 'print one JSON object')
    .addHelpText('after', details)
    .action(async (names: string[], { json = false }: { readonly json?: boolean }) => {
      const { commands } = await import('../commands.ts')
      exit(await commands(names, outputs, json))
    })
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
  $ ${PROGRAM} commands --json | jq -r '.commands[]'
`
