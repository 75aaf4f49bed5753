import { packageVersion } from '../../sandbox/package-version.ts'
import { type Route, route } from '../route.ts'

/** The document of the service, of these routes and of its own. */
export function documentRoute(routes: readonly Route[]): Route {
  let text: string | undefined
  const own: Route = route({
    method: 'GET',
    path: '/openapi.json',
    scope: 'any',
    summary: 'This document',
    answers: { 200: { description: 'An OpenAPI 3.1 document.', mediaType: 'application/json' } },
    handle: async () => {
      const { openApiOf } = await import('../openapi.ts')
      text ??= JSON.stringify(openApiOf([...routes, own], packageVersion()))
      return { status: 200, headers: { 'content-type': 'application/json' }, body: text }
    },
  })
  return own
}
