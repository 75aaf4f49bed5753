import { startServer } from './http-server.ts'

/** How a command waits for something that happens on the host while it runs. */
export interface HostActs {
  /** What the sandbox's config needs for it. */
  readonly allowedUrls: readonly string[]
  /** The part of a command at which `act` is done. */
  readonly pause: string
}

/** Has something done on the host in the middle of each command that holds `pause`. */
export async function hostActs(act: () => Promise<unknown>): Promise<HostActs> {
  // The engine honours the proxy of its process, which would see this request instead.
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) {
    Reflect.deleteProperty(process.env, name)
  }
  const { origin } = await startServer((_request, response) => {
    act().then(
      () => response.end(),
      () => response.destroy(),
    )
  })
  return { allowedUrls: [`${origin}/`], pause: `curl -s ${origin}/ || exit 99` }
}
