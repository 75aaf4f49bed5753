/** The address of a proxy for one lane of a cell: the user name of its credentials tells the lane. */
export function withLane(proxy: string, lane: number | undefined): string {
  if (lane === undefined) return proxy
  const url = new URL(proxy)
  url.username = `${url.username}.${lane}`
  return url.href
}

/** The user that a user name is of, and the lane that it tells. A cell can tell a lane of its own that is not the right one. */
export function readUser(name: string): { readonly user: string; readonly lane: number | undefined } {
  const [, user, lane] = /^([^.]+)\.([1-9][0-9]{0,14})$/.exec(name) ?? []
  return user === undefined ? { user: name, lane: undefined } : { user, lane: Number(lane) }
}
