import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'

/** Adds `doctor`. */
export function addDoctor(program: Command, { outputs, version, exit }: Context): void {
  program
    .command('doctor')
    .description('check that sandboxes work on this machine, and say what to do where they do not')
    .option('--json', 'print one JSON object')
    .allowExcessArguments(false)
    .addHelpText('after', details)
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const { doctor } = await import('../doctor.ts')
      exit(await doctor(version, outputs, json))
    })
}

const details = `
--json:
  {"program":"…","version":"…","healthy":true,"summary":"…","sections":[{"title":"Self-test",
  "findings":[{"label":"a command runs","state":"ok","seconds":0.004,"text":""}]}]}

Exit code:
  0  sandboxes work on this machine
  ${EXIT.failed}  they do not, or not fully

Examples:
  $ ${PROGRAM} doctor
  $ ${PROGRAM} doctor --json | jq -r .summary
`
