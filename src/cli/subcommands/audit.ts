import type { Command } from 'commander'
import { SANDBOX_EVENTS } from '../../host/event-data.ts'
import type { AuditOptions } from '../audit.ts'
import type { Context } from '../context.ts'
import { EXIT, SIGNAL_EXITS } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { listOf } from '../options/list-of.ts'
import { parseKind } from '../options/parse-kind.ts'
import { parseLabel } from '../options/parse-label.ts'
import { parseTime } from '../options/parse-time.ts'

/** Adds `audit`. */
export function addAudit(program: Command, { outputs, exit }: Context): void {
  program
    .command('audit')
    .usage('[options] FILE')
    .description('print, filter and follow what auditLog({ file }) has written')
    .argument('<file>', 'the file of a log; - is standard input')
    .allowExcessArguments(false)
    .option('--kind <kind>', 'only events of this kind (repeatable)', listOf(parseKind))
    .option('--id <id>', 'only those of this sandbox (repeatable)', listOf(String))
    .option(
      '--label <name=value>',
      'only those of sandboxes with this label (repeatable: all)',
      listOf(parseLabel),
    )
    .option('--failed', 'only what did not succeed: status other than 0, errors, denials, losses')
    .option('--since <time>', 'only from this time on', parseTime('--since'))
    .option('--until <time>', 'only before this time', parseTime('--until'))
    .option('--all', 'read the rotated files first: FILE.2, FILE.1, FILE')
    .option('--follow', 'go on with what is written from now on, also across rotation')
    .option('--json', 'print the lines as they are')
    .addHelpText('after', details)
    .action(async (file: string, options: AuditOptions) => {
      const { audit } = await import('../audit.ts')
      exit(await audit(file, options, outputs))
    })
}

const details = `
A line is TIME, sandbox, kind and what happened, with two spaces between them. A sandbox without an
id is "#" and its number. What would act on a terminal is shown escaped.

Kinds: ${SANDBOX_EVENTS.slice(0, 9).join(', ')},
  ${SANDBOX_EVENTS.slice(9).join(', ')}; and dropped, which says how many
  lines are missing: it is printed whatever --id, --label and --failed select.
Times: 2026-01-31, 2026-01-31T12:00 (of this machine) or 2026-01-31T12:00:00Z.

A line that is no line of a log is told on standard error with its number, and passed over.

Exit code:
  0    every line was one of a log
  ${EXIT.failed}    a line was not
  ${EXIT.usage}    the command line is not valid, or there is no such file
  ${EXIT.runtime}  the file cannot be read
  ${SIGNAL_EXITS.SIGINT}  --follow was ended with Ctrl-C

Examples:
  $ ${PROGRAM} audit audit.log --failed
  $ ${PROGRAM} audit audit.log --follow --kind command --kind policy
  $ ${PROGRAM} audit audit.log --all --label tenant=a --since 2026-01-31
  $ ${PROGRAM} audit audit.log --json --kind command | jq -r .command
`
