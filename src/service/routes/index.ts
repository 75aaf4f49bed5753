import type { Route } from '../route.ts'
import type { ServiceParts } from '../service-parts.ts'
import { documentRoute } from './document.ts'
import { eventRoutes } from './events.ts'
import { executionRoutes } from './executions.ts'
import { fileRoutes } from './files.ts'
import { ownershipRoutes } from './ownership.ts'
import { sandboxRoutes } from './sandboxes.ts'
import { serviceRoutes } from './service.ts'

/** Every route of a service. */
export function routesOf(parts: ServiceParts): readonly Route[] {
  const routes = [
    ...serviceRoutes(parts),
    ...sandboxRoutes(parts),
    ...executionRoutes(parts),
    ...fileRoutes(parts),
    ...eventRoutes(parts),
    ...(parts.ownership === undefined ? [] : ownershipRoutes(parts.ownership, parts)),
  ]
  return [documentRoute(routes), ...routes]
}
