import { type Command, Option } from 'commander'
import { ENGINE_NAMES } from '../../contract/lease.ts'
import type { Context } from '../context.ts'
import type { DoctorOptions } from '../doctor.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'

/** Adds `doctor`. */
export function addDoctor(program: Command, { outputs, exit }: Context): void {
  program
    .command('doctor')
    .description('check that sandboxes work on this machine, and say what to do where they do not')
    .option('--json', 'print one JSON object')
    .allowExcessArguments(false)
    .addOption(new Option('--shell <name>', 'look at this shell only (default: all)').choices(ENGINE_NAMES))
    .addHelpText('after', details)
    .action(async ({ json = false, shell }: Partial<DoctorOptions>) => {
      const { doctor } = await import('../doctor.ts')
      exit(await doctor(outputs, { json, shell }))
    })
}

const details = `
--json:
  {"program":"…","version":"…","healthy":true,"summary":"…","sections":[{"title":"Self-test",
  "findings":[{"label":"a command runs","state":"ok","seconds":0.004,"text":""}]}]}

Bash needs the package just-bash, an optional one. Without --shell a machine that has none of it is
healthy; with --shell bash it is not. So it is with jails, which need Linux and bubblewrap.

Exit code:
  0  sandboxes work on this machine
  ${EXIT.failed}  they do not, or not fully

Examples:
  $ ${PROGRAM} doctor
  $ ${PROGRAM} doctor --shell bash
  $ ${PROGRAM} doctor --json | jq -r .summary
`
