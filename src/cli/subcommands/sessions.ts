import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import type { SessionsOptions } from '../sessions/list.ts'
import type { RestoreOptions, SnapshotOptions } from '../sessions/transfer.ts'

/** Adds `sessions`, `snapshot` and `restore`. */
export function addSessions(program: Command, { outputs, exit }: Context): void {
  const add = (words: string, description: string) =>
    program
      .command(words)
      .description(description)
      .allowExcessArguments(false)
      .option('--sessions <dir>', 'where sessions are stored (default: a directory of this user alone)')
  add('sessions', 'list the stored sessions, or delete one')
    .option('--delete <name>', 'delete this session')
    .option('--json', 'print one JSON object')
    .addHelpText('after', listDetails)
    .action(async (options: SessionsOptions) => {
      const { sessions } = await import('../sessions/list.ts')
      exit(await sessions(options, outputs))
    })
  add('snapshot <name> <file>', 'write a stored session into a file')
    .option('--gzip', 'pack it with gzip')
    .option('--key-env <variable>', 'sign it with the key that this environment variable has')
    .addHelpText('after', snapshotDetails)
    .action(async (name: string, file: string, options: SnapshotOptions) => {
      const { writeSnapshot } = await import('../sessions/transfer.ts')
      await writeSnapshot(name, file, options, outputs.stdout)
    })
  add('restore <name> <file>', 'store a file that "snapshot" wrote as a session')
    .option('--force', 'replace the session that has this name')
    .option('--key-env <variable>', 'read what was signed with the key that this environment variable has')
    .addHelpText('after', restoreDetails)
    .action(async (name: string, file: string, options: RestoreOptions) => {
      const { restoreSession } = await import('../sessions/transfer.ts')
      await restoreSession(name, file, options)
    })
}

const directory = `The directory is $XDG_STATE_HOME/${PROGRAM}/sessions (~/.local/state).`

const listDetails = `
A line is NAME, shell, time and bytes, with tabs between them.
--json:
  {"sessions":[{"name":"work","storedAt":"2026-01-31T12:00:00.000Z","shell":"bash","sizeBytes":512}]}
${directory}

Exit code:
  0  all is well
  ${EXIT.failed}  a session is damaged
  ${EXIT.usage}  the command line is not valid, or there is no such session

Examples:
  $ ${PROGRAM} sessions
  $ ${PROGRAM} sessions --delete work
`

const snapshotDetails = `
FILE is there as a whole or not at all; "-" is standard output. It holds the session's files and
variables as they are: it is signed with a key, and never encrypted.
${directory}

Exit code:
  0    all is well
  ${EXIT.usage}    the command line is not valid, or there is no such session
  ${EXIT.runtime}  the session is damaged, or the file cannot be written

Examples:
  $ ${PROGRAM} snapshot work work.tar
  $ SNAPSHOT_KEY=… ${PROGRAM} snapshot work work.tar.gz --gzip --key-env SNAPSHOT_KEY
`

const restoreDetails = `
FILE is "-" for standard input. Without a key only what is not signed is read, with one only what
was signed with it.
${directory}

Exit code:
  0    all is well
  ${EXIT.usage}    the command line is not valid, the file is no snapshot, or there is a session of this name
  ${EXIT.runtime}  the file cannot be read, or the session cannot be stored

Examples:
  $ ${PROGRAM} restore work work.tar
  $ ${PROGRAM} restore work work.tar --force
`
