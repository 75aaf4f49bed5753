import type { Ownership } from '../ownership.ts'
import { done, type Route, route } from '../route.ts'
import type { ServiceParts } from '../service-parts.ts'
import { idOf } from './executions.ts'

/** Who has a sandbox, of several processes that share it. */
export function ownershipRoutes(ownership: Ownership, { sandboxes }: ServiceParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/claim',
      scope: 'operate',
      owned: 'takes up',
      summary: 'Has this process take a sandbox that no other one has',
      answers: { 204: { description: 'It has it.' } },
      handle: async (call) => {
        await sandboxes.get(call.principal, idOf(call))
        return done
      },
    }),
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/release',
      scope: 'operate',
      owned: 'no',
      summary: 'Stores a sandbox, and lets another process have it',
      answers: { 204: { description: 'This process does not have it any more.' } },
      handle: async (call) => {
        await sandboxes.get(call.principal, idOf(call))
        await ownership.handOver(idOf(call))
        return done
      },
    }),
  ]
}
