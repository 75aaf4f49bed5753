import * as v from 'valibot'
import { resolvePolicies } from '../config/oversight.ts'
import { reading } from '../sandbox/arguments.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { fieldPath } from '../sandbox/field-path.ts'
import { showValue } from '../sandbox/show-value.ts'
import { findUnknownOption } from '../sandbox/unknown-option.ts'
import { requireAuditSink } from './audit-sink.ts'
import { findContradiction } from './contradictions.ts'
import { derivePlaces } from './derive-places.ts'
import { resolveHibernate } from './hibernation/options.ts'
import { type HostOptions, hostDefaults, type ResolvedHostOptions } from './options.ts'
import { hostOptionsSchema } from './options-schema.ts'
import { thisMachine } from './places-of-machine.ts'
import { resolveCellsFor, resolveQuotas } from './tenants/options.ts'

/** Validates the options of a host and reads each once. @throws {SandboxConfigError} naming the option */
export function resolveHostOptions(options: HostOptions = {}): ResolvedHostOptions {
  if (typeof options !== 'object' || options === null) {
    throw refuse('options', `expected an object, got ${showValue(options)}.`)
  }
  return reading('options', () => {
    const copy = { ...options }
    const fault = findUnknownOption(copy, Object.keys(hostDefaults))
    if (fault !== undefined)
      throw new SandboxConfigError(`${fault.field} ${fault.problem}`, { field: fault.field })
    const parsed = v.safeParse(hostOptionsSchema, copy)
    if (!parsed.success) {
      const [{ path, message }] = parsed.issues
      throw refuse(fieldPath((path ?? []).map(({ key }) => String(key))), message)
    }
    const quotas = parsed.output.quotas === undefined ? undefined : resolveQuotas(parsed.output.quotas)
    const output = { ...parsed.output, quotas, cellsFor: resolveCellsFor(parsed.output.cellsFor) }
    const contradiction = findContradiction(output)
    if (contradiction !== undefined) throw refuse(contradiction.field, contradiction.message)
    const hibernate = output.hibernate === undefined ? undefined : resolveHibernate(output.hibernate)
    const { onSaturated = hibernate === undefined ? 'wait' : 'hibernate' } = output
    if (onSaturated === 'hibernate' && hibernate === undefined) {
      throw refuse('onSaturated', "'hibernate' needs hibernate: { store }.")
    }
    const policies = resolvePolicies(output.policy)
    const audit = output.audit === undefined ? undefined : requireAuditSink(output.audit)
    return { ...output, hibernate, onSaturated, policies, audit, ...derivePlaces(output, thisMachine) }
  })
}

function refuse(field: string, problem: string): SandboxConfigError {
  return new SandboxConfigError(`${field}: ${problem}`, { field })
}
