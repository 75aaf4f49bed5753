import { isLabelName } from '../../config/labels.ts'
import { isPlain } from '../../contract/plain.ts'
import { reading, refuse } from '../../sandbox/arguments.ts'
import { fieldPath } from '../../sandbox/field-path.ts'
import { optionsOf, within } from '../../sandbox/options-of.ts'
import { kindOf, showValue } from '../../sandbox/show-value.ts'
import type { Labels } from '../event-data.ts'

/** What one tenant of a host may have. */
export interface TenantQuota {
  /**
   * Most sandboxes with a session at once, those that open included. Further ones of the tenant wait.
   *
   * @default undefined (as many as the host has)
   */
  readonly maxSandboxes?: number | undefined
  /**
   * Most of its sandboxes that run commands at once. The others wait.
   *
   * @default undefined (as many as the host lets run)
   */
  readonly maxRunning?: number | undefined
  /**
   * So many sessions may open at once after a minute without any, and then one each 60 / `opensPerMinute` seconds; further ones
   * wait. Sessions that open again, after a loss or out of the store, count too.
   *
   * @default undefined (any number)
   */
  readonly opensPerMinute?: number | undefined
}

/** What each tenant of a host may have. Sandboxes with the same value of a label are one tenant, and those without it another. */
export interface TenantQuotas extends TenantQuota {
  /** The name of the label. */
  readonly label: string
  /**
   * What tenants may have for whom it is something else, by the value of the label; `''` is the tenant without one.
   *
   * @default {}
   */
  readonly tenants?: Readonly<Record<string, TenantQuota>> | undefined
}

/** {@link TenantQuotas} that are valid. */
export interface ResolvedQuotas {
  readonly label: string
  readonly everyone: TenantQuota
  /** By tenant, with what holds for everyone. */
  readonly tenants: ReadonlyMap<string, TenantQuota>
}

/** Which sandboxes may share a cell. */
export type CellsFor =
  | 'policy'
  | {
      /** The name of the label. */
      readonly label: string
    }

const bounds = [
  'maxSandboxes',
  'maxRunning',
  'opensPerMinute',
] as const satisfies readonly (keyof TenantQuota)[]

/** The tenant of a sandbox: the value of its label; `''` where it has none. */
export function tenantOf(labels: Labels, label: string): string {
  return Object.hasOwn(labels, label) ? (labels[label] ?? '') : ''
}

/** Reads each option once. @throws SandboxConfigError naming the one that is not valid */
export function resolveQuotas(options: unknown): ResolvedQuotas {
  const given = optionsOf<TenantQuotas>(options, ['label', ...bounds, 'tenants'], 'quotas')
  const everyone = resolveQuota(given, 'quotas')
  return {
    label: requireLabel(given.label, 'quotas.label'),
    everyone,
    tenants: resolveTenants(given.tenants, everyone),
  }
}

/** @throws SandboxConfigError where it is not valid */
export function resolveCellsFor(option: unknown): CellsFor {
  if (option === 'policy') return option
  if (typeof option !== 'object' || option === null) {
    throw refuse('cellsFor', `must be 'policy' or { label }, but is ${showValue(option)}.`)
  }
  const { label } = optionsOf<Exclude<CellsFor, string>>(option, ['label'], 'cellsFor')
  return { label: requireLabel(label, 'cellsFor.label') }
}

function requireLabel(label: unknown, field: string): string {
  if (isLabelName(label)) return label
  throw refuse(field, `must be the name of a label, such as 'tenant', but is ${showValue(label)}.`)
}

function resolveTenants(tenants: unknown, everyone: TenantQuota): ReadonlyMap<string, TenantQuota> {
  if (tenants === undefined) return new Map()
  const field = 'quotas.tenants'
  return reading(field, () => {
    if (typeof tenants !== 'object' || tenants === null || !isPlain(tenants)) {
      throw refuse(field, `must be a plain object of quotas by tenant, but is ${kindOf(tenants)}.`)
    }
    return new Map(
      Object.entries(tenants).map(([tenant, quota]) => {
        const parent = fieldPath(['quotas', 'tenants', tenant])
        return [
          tenant,
          { ...everyone, ...resolveQuota(optionsOf<TenantQuota>(quota, bounds, parent), parent) },
        ]
      }),
    )
  })
}

/** Only the bounds that are given. */
function resolveQuota(
  given: Readonly<Partial<Record<keyof TenantQuota, unknown>>>,
  parent: string,
): TenantQuota {
  const range = { least: 1, most: 1_000_000, isWhole: true }
  const known = bounds.filter((name) => given[name] !== undefined)
  return Object.fromEntries(known.map((name) => [name, within(`${parent}.${name}`, given[name], range)]))
}
