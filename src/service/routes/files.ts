import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import type { HostedSandbox } from '../../hosted-sandbox/hosted-sandbox.ts'
import {
  entriesSchema,
  pathSchema,
  placesSchema,
  statSchema,
  unpackedSchema,
} from '../../protocol/file-schemas.ts'
import { stallTime } from '../event-writer.ts'
import { type Call, done, json, type Reply, type Route, route } from '../route.ts'
import type { ServiceParts } from '../service-parts.ts'
import { entriesOfDirectory, packed, unpackDirectory } from '../tar.ts'
import { idOf } from './executions.ts'

const octets = 'application/octet-stream'
const tarType = 'application/x-tar'
const yes = v.optional(v.picklist(['true', 'false']), 'false')

/** Files of sandboxes. */
export function fileRoutes({ sandboxes }: ServiceParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/file',
      scope: 'read',
      summary: 'Reads a file',
      query: pathSchema,
      answers: { 200: { description: 'Its bytes.', mediaType: octets } },
      handle: async (call) => {
        return fileAnswer(await sandboxes.use(call.principal, idOf(call)), call)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/original',
      scope: 'read',
      summary: 'Reads a file as a new sandbox of the template has it: before the changes of this one',
      query: pathSchema,
      answers: { 200: { description: 'Its bytes.', mediaType: octets } },
      handle: (call) => sandboxes.withNew(call.principal, idOf(call), (sandbox) => fileAnswer(sandbox, call)),
    }),
    route<{ path: string; append: 'true' | 'false' }, Buffer>({
      method: 'PUT',
      path: '/v1/sandboxes/{id}/file',
      scope: 'operate',
      summary: 'Writes a file, or appends to it',
      query: v.strictObject({ path: v.string(), append: yes }),
      body: 'bytes',
      bodyType: octets,
      keyed: true,
      answers: { 204: { description: 'It is written.' } },
      handle: async (call) => {
        const { path, append } = call.query
        await sandboxes.change(call.principal, idOf(call), (sandbox) =>
          append === 'true' ? sandbox.appendFile(path, call.body) : sandbox.writeFile(path, call.body),
        )
        return done
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/sandboxes/{id}/file',
      scope: 'operate',
      summary: 'Removes a file or a link; with recursive a directory',
      query: v.strictObject({ path: v.string(), recursive: yes }),
      keyed: true,
      answers: { 204: { description: 'It is removed.' } },
      handle: async (call) => {
        const { path, recursive } = call.query
        await sandboxes.change(call.principal, idOf(call), (sandbox) =>
          sandbox.removeFile(path, { recursive: recursive === 'true' }),
        )
        return done
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/stat',
      scope: 'read',
      summary: 'What is at a path',
      query: pathSchema,
      answers: { 200: { description: 'Kind, size, mode and time.', schema: statSchema } },
      handle: async (call) => {
        const sandbox = await sandboxes.use(call.principal, idOf(call))
        return json(await sandbox.stat(call.query.path))
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/directory',
      scope: 'read',
      summary: 'What is in a directory',
      query: pathSchema,
      answers: { 200: { description: 'Its entries, by name.', schema: entriesSchema } },
      handle: async (call) => {
        const sandbox = await sandboxes.use(call.principal, idOf(call))
        return json({ entries: await sandbox.listFiles(call.query.path) })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/sandboxes/{id}/directory',
      scope: 'operate',
      summary: 'Makes a directory, and those that lead to it',
      body: pathSchema,
      keyed: true,
      answers: { 204: { description: 'It is there.' } },
      handle: async (call) => {
        await sandboxes.change(call.principal, idOf(call), (sandbox) => sandbox.makeDirectory(call.body.path))
        return done
      },
    }),
    route({
      method: 'GET',
      path: '/v1/sandboxes/{id}/tar',
      scope: 'read',
      summary: 'A directory as a tar: files and directories, without links',
      query: pathSchema,
      answers: { 200: { description: 'The tar.', mediaType: tarType } },
      handle: async (call) => {
        const sandbox = await sandboxes.use(call.principal, idOf(call))
        const entries = await entriesOfDirectory(sandbox, call.query.path)
        // One file is at hand at a time.
        call.load?.add({ bytes: Math.max(0, ...entries.map(({ size }) => size)) })
        const { response } = call
        response.writeHead(200, { ...call.headers, 'content-type': tarType })
        response.setTimeout(stallTime, () => response.destroy())
        await pipeline(packed(sandbox, entries), response)
        return undefined
      },
    }),
    route<{ path: string }, Buffer>({
      method: 'PUT',
      path: '/v1/sandboxes/{id}/tar',
      scope: 'operate',
      summary: 'Puts what a tar holds into a directory, which is made',
      query: pathSchema,
      body: 'bytes',
      bodyType: tarType,
      keyed: true,
      answers: { 200: { description: 'What was written, and what was skipped.', schema: unpackedSchema } },
      handle: async (call) =>
        json(
          await sandboxes.change(call.principal, idOf(call), (sandbox) =>
            unpackDirectory(sandbox, call.query.path, call.body),
          ),
        ),
    }),
    ...(['move', 'copy'] as const).map((act) =>
      route({
        method: 'POST',
        path: `/v1/sandboxes/{id}/${act}`,
        scope: 'operate',
        summary: act === 'move' ? 'Gives a file or directory another path' : 'Copies a file or directory',
        body: placesSchema,
        keyed: true,
        answers: { 204: { description: 'It is there.' } },
        handle: async (call) => {
          const { from, to } = call.body
          await sandboxes.change(call.principal, idOf(call), (sandbox) => sandbox[act](from, to))
          return done
        },
      }),
    ),
  ]
}

/** A file, which is counted before it is read. */
async function fileAnswer(
  sandbox: HostedSandbox,
  { query: { path }, load }: Call<{ readonly path: string }>,
): Promise<Reply> {
  const { size } = await sandbox.stat(path)
  load?.add({ bytes: size })
  const body = await sandbox.readFile(path)
  // More of it is behind a link, or of one that has grown.
  load?.add({ bytes: Math.max(0, body.byteLength - size) })
  return { status: 200, headers: { 'content-type': octets }, body }
}
