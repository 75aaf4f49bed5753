import { stat } from 'node:fs/promises'
import { errorMessage } from '../sandbox/kinds.ts'
import { foreignText } from '../sandbox/message-text.ts'
import { type FilterOptions, isWanted } from './audit/filter.ts'
import { readLine } from './audit/line.ts'
import type { FoundLine } from './audit/log-file.ts'
import { type ReadOptions, readLog } from './audit/read-log.ts'
import { textOf } from './audit/text.ts'
import { EXIT } from './exit-codes.ts'
import { CliError, PROGRAM, usageError } from './failure.ts'
import { isBlank, linesOf } from './lines.ts'
import type { Outputs } from './output.ts'

/** The options of `audit`, as commander hands them over. */
export interface AuditOptions extends FilterOptions, Pick<ReadOptions, 'all' | 'follow'> {
  readonly json?: boolean
}

/** Prints the lines of an audit log that are asked for; gives the exit code. */
export async function audit(
  path: string,
  options: AuditOptions,
  { stdout, stderr }: Outputs,
): Promise<number> {
  let exitCode = 0
  for await (const { file, number, bytes } of await openLines(path, options, () => !stdout.isGone)) {
    const line = readLine(bytes)
    if (line === undefined) {
      if (isBlank(bytes)) continue
      exitCode = EXIT.failed
      await stderr.write(`${PROGRAM}: ${foreignText(file)}, line ${number}: it is no line of an audit log.\n`)
    } else if (isWanted(line, options)) {
      await stdout.write(options.json === true ? Buffer.concat([bytes, lineBreak]) : textOf(line))
    }
  }
  return exitCode
}

const lineBreak = Buffer.from('\n')

async function openLines(
  path: string,
  { all = false, follow = false }: AuditOptions,
  goesOn: () => boolean,
): Promise<AsyncGenerator<FoundLine, void>> {
  if (path === '-') {
    if (all || follow) throw usageError(`${all ? '--all' : '--follow'} needs a file, not standard input.`)
    return reading('standard input', numbered(linesOf(process.stdin)))
  }
  const facts = await stat(path).catch((cause: unknown) => {
    throw usageError(`the log cannot be read: ${errorMessage(cause)}.`, { cause })
  })
  if (!facts.isFile()) throw usageError(`the log cannot be read: ${JSON.stringify(path)} is no regular file.`)
  return reading(JSON.stringify(path), readLog(path, { all, follow, goesOn }))
}

async function* numbered(lines: AsyncGenerator<Buffer, void>): AsyncGenerator<FoundLine, void> {
  let number = 0
  for await (const bytes of lines) {
    number += 1
    yield { file: 'standard input', number, bytes }
  }
}

/** The same lines. @throws CliError naming what cannot be read */
async function* reading(
  name: string,
  lines: AsyncGenerator<FoundLine, void>,
): AsyncGenerator<FoundLine, void> {
  for (;;) {
    const step = await lines.next().catch((cause: unknown) => {
      throw new CliError(`the log could not be read from ${name}: ${errorMessage(cause)}.`, EXIT.runtime, {
        cause,
      })
    })
    if (step.done === true) return
    yield step.value
  }
}
