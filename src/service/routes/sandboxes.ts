import * as v from 'valibot'
import { appliedSchema, applySchema, changesSchema } from '../../protocol/file-schemas.ts'
import {
  createSchema,
  forkSchema,
  oneSandboxSchema,
  openSchema,
  sandboxesSchema,
} from '../../protocol/sandbox-schemas.ts'
import { Snapshot } from '../../snapshot/snapshot.ts'
import { done, json, type Route, route } from '../route.ts'
import type { ServiceParts } from '../service-parts.ts'
import { ServiceProblem } from '../service-problem.ts'
import { idOf } from './executions.ts'

const snapshotType = 'application/x-tar'
/** Sandboxes of one page, at most. */
const mostListed = 1000

/** Sandboxes: opening, looking at, closing, and their snapshots and changes. */
export function sandboxRoutes({ sandboxes }: ServiceParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/sandboxes',
      scope: 'operate',
      summary: 'Opens a sandbox',
      body: createSchema,
      keyed: true,
      answers: { 201: { description: 'The sandbox.', schema: oneSandboxSchema } },
      handle: async ({ principal, body }) => json(await sandboxes.create(principal, body.id, body), 201),
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes',
      scope: 'read',
      summary: 'Lists sandboxes, by id',
      query: v.strictObject({
        after: v.optional(v.string(), ''),
        limit: v.optional(v.pipe(v.string(), v.regex(/^\d{1,4}$/)), '100'),
      }),
      answers: { 200: { description: 'At most limit sandboxes (1 to 1000).', schema: sandboxesSchema } },
      handle: async ({ principal, query }) => {
        const most = Number(query.limit)
        if (most < 1 || most > mostListed)
          throw new ServiceProblem('INVALID_REQUEST', `limit must be from 1 to ${mostListed}.`, {
            field: 'limit',
          })
        const found = sandboxes.list(principal, query.after, most + 1)
        const page = found.slice(0, most)
        const next = found.length > most ? page.at(-1)?.id : undefined
        return json({ sandboxes: page, ...(next === undefined ? {} : { next }) })
      },
    }),
    route({
      method: 'PUT',
      path: '/v1/sandboxes/{id}',
      scope: 'operate',
      owned: 'claims',
      summary: 'The sandbox with an id, opened where there is none',
      body: openSchema,
      answers: {
        200: { description: 'The sandbox that there is.', schema: oneSandboxSchema },
        201: { description: 'The sandbox, opened now.', schema: oneSandboxSchema },
      },
      handle: async (call) => {
        const { data, isNew } = await sandboxes.getOrCreate(call.principal, {
          ...call.body,
          id: idOf(call),
        })
        return json(data, isNew ? 201 : 200)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}',
      scope: 'read',
      summary: 'A sandbox',
      answers: { 200: { description: 'The sandbox.', schema: oneSandboxSchema } },
      handle: async (call) => json(await sandboxes.get(call.principal, idOf(call))),
    }),
    route({
      method: 'DELETE',
      path: '/v1/sandboxes/{id}',
      scope: 'operate',
      summary: 'Closes a sandbox for good',
      keyed: true,
      answers: { 204: { description: 'It is closed, and what was stored of it is deleted.' } },
      handle: async (call) => {
        await sandboxes.close(call.principal, idOf(call))
        return done
      },
    }),
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/fork',
      scope: 'operate',
      summary: 'Opens a second sandbox with the same template, labels and state',
      body: forkSchema,
      keyed: true,
      answers: { 201: { description: 'The second sandbox.', schema: oneSandboxSchema } },
      handle: async (call) => json(await sandboxes.fork(call.principal, idOf(call), call.body.id), 201),
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/snapshot',
      scope: 'read',
      summary: 'The state of a sandbox as a value: docs/snapshots.md',
      answers: { 200: { description: 'The snapshot.', mediaType: snapshotType } },
      handle: async (call) => {
        const sandbox = await sandboxes.use(call.principal, idOf(call))
        const snapshot = await sandbox.snapshot()
        call.load?.add({ bytes: snapshot.sizeBytes })
        return { status: 200, headers: { 'content-type': snapshotType }, body: await snapshot.toBytes() }
      },
    }),
    route<undefined, Buffer>({
      method: 'POST',
      path: '/v1/sandboxes/{id}/restore',
      scope: 'operate',
      summary: 'Puts a snapshot in the place of all that a sandbox has',
      body: 'bytes',
      bodyType: snapshotType,
      keyed: true,
      answers: { 204: { description: 'The sandbox has what the snapshot holds.' } },
      handle: async (call) => {
        const snapshot = await Snapshot.from(call.body)
        await sandboxes.change(call.principal, idOf(call), (sandbox) => sandbox.restore(snapshot))
        return done
      },
    }),
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/checkpoint',
      scope: 'operate',
      summary: 'Stores the state of a sandbox now',
      answers: { 204: { description: 'It is in the store.' } },
      handle: async (call) => {
        await (await sandboxes.use(call.principal, idOf(call))).checkpoint()
        return done
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/changes',
      scope: 'read',
      summary: 'What a sandbox did to its binds',
      query: v.strictObject({ since: v.optional(v.string()) }),
      answers: { 200: { description: 'The changes, by path.', schema: changesSchema } },
      handle: async (call) => {
        const sandbox = await sandboxes.use(call.principal, idOf(call))
        return json(await sandbox.changes(call.query))
      },
    }),
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/apply',
      scope: 'operate',
      summary: 'Writes changes of a copy to the host of the service',
      body: applySchema,
      keyed: true,
      answers: { 200: { description: 'What was written.', schema: appliedSchema } },
      handle: async (call) => {
        return json(
          await sandboxes.change(call.principal, idOf(call), (sandbox) => sandbox.applyChanges(call.body)),
        )
      },
    }),
  ]
}
