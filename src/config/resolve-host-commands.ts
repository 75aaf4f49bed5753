import type { HostCommandRecord } from '../contract/host-commands.ts'
import { isPlain } from '../contract/plain.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import { fieldPath } from '../sandbox/field-path.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { findTextFault } from '../sandbox/text.ts'
import type { HostCommand } from './host-command.ts'
import { findNameFault } from './host-command-names.ts'

/** A command of a config, read once. */
export interface ResolvedHostCommand extends HostCommandRecord {
  readonly run: HostCommand['run']
}

/** Reads the commands of a config. @throws SandboxConfigError naming the command that is not valid */
export function resolveHostCommands(commands: unknown): readonly ResolvedHostCommand[] {
  if (commands === undefined) return []
  return reading('commands', () => {
    if (typeof commands !== 'object' || commands === null || !isPlain(commands)) {
      throw refuse('commands', `must be a plain object of names and commands, but is ${kindOf(commands)}.`)
    }
    return Object.entries<unknown>({ ...commands }).map(([name, command]) => resolve(name, command))
  })
}

function resolve(name: string, command: unknown): ResolvedHostCommand {
  const field = fieldPath(['commands', name])
  const fault = findNameFault(name)
  if (fault !== undefined) throw refuse(field, `must be the name of a command, but ${fault}. Rename it.`)
  if (typeof command !== 'object' || command === null) {
    throw refuse(field, `must be an object like { description, run }, but is ${kindOf(command)}.`)
  }
  const { description, help, run }: Partial<Record<keyof HostCommand, unknown>> = command
  const text = requireText(description, `${field}.description`)
  if (typeof run !== 'function') throw refuse(`${field}.run`, `must be a function, but is ${kindOf(run)}.`)
  return {
    name,
    description: text,
    help: help === undefined ? text : requireText(help, `${field}.help`),
    run: (args, context) => Reflect.apply(run, command, [args, context]),
  }
}

function requireText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw refuse(field, `must be a string, but is ${kindOf(value)}.`)
  const fault = findTextFault(value)
  if (fault !== undefined) throw refuse(field, `must be text, but ${fault}.`)
  return value
}
