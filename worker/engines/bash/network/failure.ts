/** Why there is no answer to a request. Its message holds what the agent wrote, and never a credential. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  /** The exit code that curl has for it. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** An address without what may be secret in it. */
const shown = ({ protocol, host, pathname }: URL) => `${protocol}//${host}${pathname}`

export const notAllowed = (url: URL) =>
  new RequestFailure(7, `access denied: the allowlist of this sandbox does not name ${shown(url)}`)

export const notPublic = (hostname: string) =>
  new RequestFailure(7, `access denied: ${hostname} has no public address`)

export const notResolved = (hostname: string) => new RequestFailure(6, `Could not resolve host: ${hostname}`)

export const notConnected = (hostname: string, port: number) =>
  new RequestFailure(7, `Failed to connect to ${hostname} port ${port}`)

export const brokenOff = () => new RequestFailure(52, 'Empty reply from server, or none of HTTP')

export const timedOut = () => new RequestFailure(28, 'Operation timed out')

export const tooLarge = (limit: number) =>
  new RequestFailure(63, `Maximum file size exceeded: the response is larger than ${limit} bytes`)
