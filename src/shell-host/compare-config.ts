import { isDeepStrictEqual } from 'node:util'
import { configOf, type HostedSandbox } from '../hosted-sandbox/hosted-sandbox.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { quote } from '../sandbox/show-value.ts'
import type { SessionConfig } from '../session/session-config.ts'

/** Seconds a command may run, and the permission mask, where no config says. */
const unsaid = { timeout: 30, umask: 0o022 } as const

/** A config by its fields, in forms that are equal where the fields mean the same. It holds tokens: it is only compared. */
function factsOf({
  record,
  isolation,
  onInterrupt,
  onLost,
  checkpoints,
  maxPending,
  labels,
  policies,
  policyTimeout,
  approvalTimeout,
}: SessionConfig): ReadonlyMap<string, unknown> {
  const { credentials, env, files, directories, limits, timeout, umask, ...others } = record
  const facts = {
    ...others,
    isolation,
    onInterrupt,
    onLost,
    checkpoint: checkpoints,
    maxPending,
    labels,
    policy: policies,
    policyTimeout,
    approvalTimeout,
    timeout: timeout ?? unsaid.timeout,
    umask: umask ?? unsaid.umask,
    credentials: credentials.map((each) =>
      'token' in each ? { ...each, token: each.token.reveal() } : each,
    ),
    env: Object.fromEntries(env),
    files: [Object.fromEntries(files ?? []), directories],
    limits: [limits, record.engine === 'strands' ? record.mirror : undefined],
  }
  return new Map<string, unknown>(Object.entries(facts))
}

/**
 * Holds a config that is asked for to that of an open sandbox.
 *
 * @param fields - names of a config: what it does not name is not compared.
 * @throws {SandboxConfigError} naming the first field in which they differ; never a value
 */
export function requireSameConfig(
  id: string,
  sandbox: HostedSandbox,
  asked: SessionConfig,
  fields: readonly string[],
): void {
  const { isolation } = sandbox
  const config = configOf(sandbox)
  if (config === undefined) throw new TypeError('A sandbox of this host has a config.')
  const open = factsOf({ ...config, isolation })
  const other = factsOf({ ...asked, isolation: asked.isolation ?? isolation })
  const field = fields.find((name) => name !== 'shell' && !isDeepStrictEqual(open.get(name), other.get(name)))
  if (field === undefined) return
  throw new SandboxConfigError(
    `${field} is another one in the open sandbox ${quote(id)}. Leave it out to share that one, close that one first, or take another id.`,
    { field },
  )
}
