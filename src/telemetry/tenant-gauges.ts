import type { HostStats } from '../host/host-stats.ts'
import type { TenantFigures } from '../host/tenants/tenants.ts'
import type { BoundedValues } from './bounded-values.ts'
import type { MetricDefinition } from './metrics.ts'

/** A metric of each tenant of a host with quotas at the moment of its reading. */
export interface TenantGauge extends MetricDefinition {
  readonly figure: Exclude<keyof TenantFigures, 'tenant'>
}

/** The label of these metrics. */
export const TENANT_LABEL = 'tenant'

/** What the tenants of a host have. */
export const TENANT_GAUGES: readonly TenantGauge[] = [
  gauge('leased', 'Sandboxes of a tenant with a session'),
  gauge('queued', 'Sandboxes of a tenant that wait for a session'),
  gauge('running', 'Sandboxes of a tenant that may run commands'),
  gauge('waiting', 'Sandboxes of a tenant whose commands wait for others'),
]

function gauge(figure: TenantGauge['figure'], description: string): TenantGauge {
  return { name: `tenant.sandboxes.${figure}`, unit: '{sandbox}', description, figure }
}

/** A figure by tenant: those that have one name together. */
export function readTenants(
  { tenants }: HostStats,
  { figure }: TenantGauge,
  names: BoundedValues,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const of of tenants) {
    const name = names.of(of.tenant)
    sums.set(name, (sums.get(name) ?? 0) + of[figure])
  }
  return sums
}
