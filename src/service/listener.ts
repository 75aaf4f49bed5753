import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answering } from './answering.ts'
import { RegExpRouter } from './hono.ts'
import type { Route } from './route.ts'

/** The routes of a path by their methods. */
type Methods = ReadonlyMap<string, Route>

/** A listener for requests: finds their route, and has them answered. */
export function listenerOf(
  routes: readonly Route[],
  answering: Answering,
): (request: IncomingMessage, response: ServerResponse) => void {
  const router = new RegExpRouter<Methods>()
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path)
    router.add('ALL', honoPath(path), new Map(ofPath.map((route) => [route.method, route])))
  }
  return (request, response) => {
    const { method = '', url = '' } = request
    const [[found], stash = []] = router.match('ALL', url.split('?', 1)[0] ?? '')
    const params = found && decoded(found[1], stash)
    if (found === undefined || params === undefined) {
      void answering.answerNothing(request, response)
      return
    }
    const [methods] = found
    const route = methods.get(method === 'HEAD' ? 'GET' : method)
    if (route !== undefined) void answering.answer(route, params, request, response)
    else void answering.answerNothing(request, response, [...methods.keys()])
  }
}

function honoPath(path: string): string {
  return path.replaceAll(/\{([a-z]+)\}/g, ':$1')
}

/** The parts of a path by name; undefined where one is no text. @param places - where each is in the stash. */
function decoded(
  places: Readonly<Record<string, string | number>>,
  stash: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = {}
  try {
    for (const name in places) params[name] = decodeURIComponent(stash[Number(places[name])] ?? '')
    return params
  } catch {
    // It is not percent-encoded as it must be.
    return undefined
  }
}
