import type { HostedSandbox } from '../../hosted-sandbox/hosted-sandbox.ts'
import type { SandboxToolsOptions } from '../../tools/options.ts'
import type { SandboxTool } from '../../tools/sandbox-tool.ts'
import { type ChangeToolId, refuseOption } from '../options.ts'
import { applyTool } from './apply-tool.ts'
import { MOST_CHARACTERS } from './bounds.ts'
import { changesTool } from './changes-tool.ts'

const makers = { changes: changesTool, apply_changes: applyTool }

/**
 * The tools about changes that are allowed, where the sandbox has a bind that they are for.
 *
 * @param tools - options of its other tools
 * @throws {SandboxConfigError} where another tool has the name of one of them
 */
export function makeChangeTools(
  sandbox: HostedSandbox,
  allowed: readonly ChangeToolId[],
  { names = {}, maxCharacters = MOST_CHARACTERS }: SandboxToolsOptions,
): SandboxTool[] {
  const taken = allowed.find((id) => Object.values(names).includes(id))
  if (taken !== undefined) throw refuseOption('changeTools', `has ${taken}, which is another tool's name.`)
  return allowed.flatMap((id) => makers[id](sandbox, maxCharacters) ?? [])
}
