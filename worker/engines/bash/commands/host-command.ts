import type { CommandAnswer, HostCommandRecord } from '../../../../src/contract/host-commands.ts'
import type { Caller } from '../../../service/caller.ts'
import type { Interpreter } from '../session/session.ts'
import { readable } from '../text/bytes.ts'
import { done, type OwnCommand } from './command.ts'

/** A command that is a function of the caller. */
export function hostCommand({ name, help }: HostCommandRecord, caller: Pick<Caller, 'command'>): OwnCommand {
  return {
    name,
    async run(args, context, { stop }: Interpreter) {
      if (args.length === 1 && args[0] === '--help') return done(help.endsWith('\n') ? help : `${help}\n`)
      const { cwd, exportedEnv = {}, signal } = context
      const stdin = new Uint8Array(Buffer.from(String(context.stdin), 'latin1'))
      const signals = signal === undefined ? [stop.waiting] : [stop.waiting, signal]
      const call = { name, args: args.map(readable), stdin, cwd, env: Object.entries(exportedEnv) }
      return answerOf(await caller.command(call, signals))
    },
  }
}

function answerOf({ exitCode, stdout, stderr }: CommandAnswer) {
  return {
    exitCode,
    stdout: Buffer.from(stdout).toString('latin1'),
    stdoutKind: 'bytes' as const,
    stderr: Buffer.from(stderr).toString(),
  }
}
