import { problemSchema } from '../protocol/problem.ts'
import { toJsonSchema } from './json-schema.ts'
import type { Answer, Route, Schema } from './route.ts'

/** A part of the document. */
type Part = Readonly<Record<string, unknown>>

const problem = {
  description: 'A problem of RFC 9457.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

/** The OpenAPI 3.1 document of routes: made of the schemas that check their requests. */
export function openApiOf(routes: readonly Route[], version: string): Part {
  const paths: Record<string, Record<string, Part>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'strands-shell-runtime',
      version,
      description: 'Sandboxes of shells over HTTP. docs/serve.md describes the service.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(problemSchema) },
    },
  }
}

function operationOf(route: Route): Part {
  const { method, path, scope, summary, body, bodyType, answers } = route
  return {
    operationId: operationId(method, path),
    summary,
    ...(scope === 'none'
      ? { security: [] }
      : {
          security: [{ bearer: [] }],
          ...(scope === 'any' ? {} : { 'x-scope': scope }),
        }),
    parameters: [...pathParameters(path), ...queryParameters(route), ...headerParameters(route)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              body === 'bytes'
                ? { [bodyType ?? 'application/octet-stream']: {} }
                : { 'application/json': { schema: schemaOf(body) } },
          },
        }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
      default: problem,
    },
  }
}

function answerOf({ description, schema, mediaType }: Answer): Part {
  if (schema !== undefined)
    return { description, content: { 'application/json': { schema: schemaOf(schema) } } }
  return mediaType === undefined ? { description } : { description, content: { [mediaType]: {} } }
}

function pathParameters(path: string): readonly Part[] {
  return [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Route): readonly Part[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = schemaOf(query)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function headerParameters({ keyed, answers }: Route): readonly Part[] {
  const text = { type: 'string' }
  const isStream = keyed === 'execution' || answers[200]?.mediaType === 'text/event-stream'
  return [
    ...(keyed === undefined
      ? []
      : [
          {
            name: 'Idempotency-Key',
            in: 'header',
            schema: { ...text, pattern: '^[!-~]{1,128}$' },
            description: 'Names the call: it has its effect once, however often it is sent.',
          },
        ]),
    ...(isStream
      ? [{ name: 'Last-Event-ID', in: 'header', schema: text, description: 'Goes on behind this event.' }]
      : []),
  ]
}

function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/v1\//, '')
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
  const isOne = path.endsWith('}')
  return [method.toLowerCase(), ...words, ...(isOne ? ['one'] : [])]
    .join('-')
    .replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

interface ObjectSchema extends Part {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

function schemaOf(schema: Schema): ObjectSchema {
  const { $schema: _none, ...rest } = toJsonSchema(schema, { errorMode: 'throw', typeMode: 'input' })
  return rest as ObjectSchema
}
