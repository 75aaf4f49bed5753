import type { Command } from 'commander'
import type { BatchOptions } from '../batch.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { PROGRAM } from '../failure.ts'
import { bindHelp, sandboxHelp } from '../help.ts'
import { parseCount } from '../options/parse-count.ts'
import { parseDirectory } from '../options/parse-directory.ts'
import { addSandboxOptions } from '../options/sandbox-options.ts'

/** Adds `batch`. */
export function addBatch(program: Command, { outputs, exit }: Context): void {
  const command = program
    .command('batch')
    .usage('[options] JOBS.jsonl')
    .description('run many commands, each in a sandbox of its own; JSON lines in, JSON lines out')
    .argument('<jobs>', 'a file with a job a line; - is standard input')
    .allowExcessArguments(false)
    .option('--concurrency <n>', 'jobs that run at once (default: 8)', parseCount('--concurrency'))
    .option('--unordered', 'print results as they come, not in the order of their jobs')
    .option('--strict', 'stop at the first line that is not a job')
    .option('--no-progress', 'show no progress bar on a terminal')
    .option('--cluster <redis>', 'have the nodes of the cluster at this redis:// address run the jobs')
    .option('--cluster-name <name>', 'the name of the cluster (default: default)')
    .option('--template <name>', 'the config of its nodes that a job has (default: default)')
  addSandboxOptions(command, { shell: 'bash', isolation: 'process' })
    .option('--cwd <dir>', 'the directory of a job; made where it does not exist', parseDirectory)
    .addHelpText('after', details)
    .action(async (jobs: string, options: BatchOptions) => {
      const { batch } = await import('../batch.ts')
      exit(await batch(jobs, options, outputs))
    })
}

const details = `
A job, one JSON object a line:
  {"command":"wc -l < in","files":{"in":"one\\ntwo\\n"}}
  {"id":"b","command":"sort in > out","files":{"in":{"base64":"YgphCg=="}},"collect":["out"]}
    command  the shell command
    id       anything: it is repeated in the result
    files    files that the session begins with: text, {"base64":"…"} or {"directory":"…"};
             relative to the directory of the session
    stdin    what the command reads: text or {"base64":"…"}
    collect  files that are read afterwards; what is not there is left out
  Every other field is one of the config (shell, env, timeout, binds, …) and wins over the
  options: env and limits name by name, the others whole. Empty lines are passed over.

A result, one JSON object a line:
  {"line":1,"exitCode":0,"stdout":"2\\n","stderr":"","seconds":0.021}
  {"line":2,"id":"b","exitCode":0,"stdout":"","stderr":"","seconds":0.018,"files":{"out":"a\\nb\\n"}}
  {"line":3,"exitCode":2,"error":{"code":"BAD_LINE","message":"…"}}
  {"line":4,"exitCode":125,"error":{"code":"WORKER_LOST","message":"…"},"seconds":1.2}
  Files that are not text are {"base64":"…"}.

With --cluster a job is one of the queue of the cluster. Its line has command, id, files, stdin,
collect, and template, timeout, attempts, backoff and priority: docs/cluster.md. Of the options
that say what a sandbox is only --timeout is known.

A job can bind what this user can read: run only jobs that you would run as a script.
${bindHelp}${sandboxHelp}
Exit code:
  0  every job ran and exited with 0
  ${EXIT.failed}  a job failed, or a line was not a job
  ${EXIT.usage}  the command line is not valid, or, with --strict, a line

Examples:
  $ ${PROGRAM} batch jobs.jsonl > results.jsonl
  $ ${PROGRAM} batch jobs.jsonl --concurrency 32 --unordered --timeout 5
  $ ${PROGRAM} batch jobs.jsonl --cluster redis://redis:6379 --concurrency 100
  $ jq -c '{command: "wc -w < in", files: {in: .text}}' docs.jsonl | ${PROGRAM} batch -
`
