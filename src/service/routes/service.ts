import * as v from 'valibot'
import { json, type Route, route } from '../route.ts'
import type { ServiceParts } from '../service-parts.ts'
import { ServiceProblem } from '../service-problem.ts'

const stateSchema = v.object({ status: v.string() })

/** The service itself. */
export function serviceRoutes({
  host,
  templates,
  sandboxes,
  metrics,
  instance,
  isClosing,
}: ServiceParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/health',
      scope: 'none',
      summary: 'Whether the process answers',
      answers: { 200: { description: 'It does.', schema: stateSchema } },
      handle: async () => json({ status: 'ok' }),
    }),
    route({
      method: 'GET',
      path: '/health/ready',
      scope: 'none',
      summary: 'Whether requests may be sent here',
      answers: {
        200: { description: 'They may.', schema: stateSchema },
        503: { description: 'They may not: the service is about to stop.' },
      },
      handle: async () => {
        if (!isClosing()) return json({ status: 'ready' })
        throw new ServiceProblem('UNAVAILABLE', 'The service is about to stop.', {
          headers: { 'retry-after': '1' },
        })
      },
    }),
    route({
      method: 'GET',
      path: '/v1/self',
      scope: 'any',
      summary: 'Who the token is of, and what there is',
      answers: {
        200: {
          description: 'Name, scopes and labels of the token; the templates; the name of this process.',
          schema: v.object({
            name: v.string(),
            scopes: v.array(v.picklist(['read', 'operate', 'metrics'])),
            labels: v.record(v.string(), v.string()),
            templates: v.array(v.object({ name: v.string(), shell: v.string() })),
            instance: v.string(),
          }),
        },
      },
      handle: async ({ principal: { name, scopes, labels } }) =>
        json({
          name,
          scopes: [...scopes],
          labels,
          templates: templates.names.map((each) => ({ name: each, shell: templates.shellOf(each) })),
          instance,
        }),
    }),
    route({
      method: 'GET',
      path: '/metrics',
      scope: 'metrics',
      summary: 'The metrics of the host for Prometheus: docs/telemetry.md',
      answers: { 200: { description: 'Its text format.', mediaType: 'text/plain' } },
      handle: async () => ({
        status: 200,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        body: await metrics.text(),
      }),
    }),
    route({
      method: 'GET',
      path: '/v1/stats',
      scope: 'metrics',
      summary: 'Figures of the host: the type HostStats of the library',
      answers: { 200: { description: 'The figures.', schema: v.looseObject({ sandboxes: v.number() }) } },
      handle: async () => json({ ...host.stats(), sandboxes: sandboxes.size }),
    }),
  ]
}
