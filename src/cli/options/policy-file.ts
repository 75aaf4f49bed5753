import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allowCommands } from '../../policy/ready-made/allow-commands.ts'
import { denyCommands } from '../../policy/ready-made/deny-commands.ts'
import { protectPaths } from '../../policy/ready-made/protect-paths.ts'
import { readOnly } from '../../policy/ready-made/read-only.ts'
import type { Policy } from '../../policy/types.ts'
import { SandboxConfigError } from '../../sandbox/errors.ts'
import { isRecord } from '../../sandbox/is-record.ts'
import { errorMessage, isError } from '../../sandbox/kinds.ts'
import { kindOf, showValue } from '../../sandbox/show-value.ts'
import { type CliError, usageError } from '../failure.ts'
import { parseJson } from '../json-text.ts'

/**
 * Reads policies: rules in JSON where the file's name ends in `.json`, otherwise the default export of a module, which runs in
 * this process.
 *
 * @throws CliError naming the option, the file and what is wrong with it
 */
export async function readPolicyFile(option: string, file: string): Promise<readonly Policy[]> {
  const refuse = (problem: string, cause?: unknown): CliError =>
    usageError(`${option} ${JSON.stringify(file)}: ${problem}`, cause === undefined ? {} : { cause })
  return extname(file) === '.json' ? policiesOfRules(file, refuse) : policiesOfModule(file, refuse)
}

type Refuse = (problem: string, cause?: unknown) => CliError

async function policiesOfModule(file: string, refuse: Refuse): Promise<readonly Policy[]> {
  const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(file)).href).catch(
    (cause: unknown) => {
      throw refuse(`it cannot be loaded: ${errorMessage(cause)}`, cause)
    },
  )
  const given: readonly unknown[] = Array.isArray(module.default) ? module.default : [module.default]
  return given.map((one) => {
    if (isPolicy(one)) return one
    throw refuse(`its default export must be a policy or an array of them, but has ${kindOf(one)}.`)
  })
}

async function policiesOfRules(file: string, refuse: Refuse): Promise<readonly Policy[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const reason = isError(cause) && 'code' in cause ? String(cause.code) : errorMessage(cause)
    throw refuse(`it cannot be read (${reason}).`, cause)
  })
  const { value, fault } = parseJson(text)
  if (fault !== undefined) throw refuse(`${fault}.`)
  if (!isRecord(value) || Array.isArray(value)) {
    throw refuse('it must hold one object, such as {"allowCommands":["cat","ls"]}.')
  }
  const rules = Object.entries(value)
  if (rules.length === 0) throw refuse(`it has no rule. Known here: ${known}.`)
  return rules.map(([name, given]) => policyOf(name, given, refuse))
}

const known = 'allowCommands, denyCommands, readOnly, protectPaths'

function policyOf(name: string, given: unknown, refuse: Refuse): Policy {
  switch (name) {
    case 'allowCommands':
      return made(name, () => allowCommands(textsOf(name, given, refuse)), refuse)
    case 'denyCommands':
      return made(name, () => denyCommands(textsOf(name, given, refuse)), refuse)
    case 'protectPaths':
      return made(name, () => protectPaths(textsOf(name, given, refuse)), refuse)
    case 'readOnly':
      if (given === true) return readOnly()
      if (isRecord(given)) return made(name, () => readOnly(given), refuse)
      throw refuse(
        `readOnly must be true or an object such as {"except":["/tmp"]}, but is ${showValue(given)}.`,
      )
    case 'askFor':
      throw refuse('askFor needs an approver, which is a function. Give a module (.mjs) that exports it.')
    default:
      throw refuse(`${JSON.stringify(name)} is no rule. Known here: ${known}.`)
  }
}

/** Makes a policy whose argument is refused in terms of the file. */
function made(rule: string, make: () => Policy, refuse: Refuse): Policy {
  try {
    return make()
  } catch (cause) {
    if (!(cause instanceof SandboxConfigError)) throw cause
    const text = cause.message.replace(/^Invalid sandbox config: /, '')
    throw refuse(/^(?:names|paths)/.test(text) ? text.replace(/^\w+/, rule) : `${rule}.${text}`, cause)
  }
}

function textsOf(rule: string, given: unknown, refuse: Refuse): readonly string[] {
  if (!Array.isArray(given)) throw refuse(`${rule} must be an array of texts, but is ${showValue(given)}.`)
  return given
}

function isPolicy(value: unknown): value is Policy {
  return typeof value === 'function'
}
