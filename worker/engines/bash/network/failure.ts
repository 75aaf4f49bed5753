/** Why there is no answer to a request. Its message holds what the agent wrote, and never a credential. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  /** The exit code that curl has for it. */
  readonly code: number
  /** What events call it. */
  readonly reason: string

  constructor(code: number, message: string, reason = 'ORIGIN_FAILED') {
    super(message)
    this.code = code
    this.reason = reason
  }
}

/** A refusal before the proxy is asked, which then cannot tell of it. */
export class UntoldRefusal extends RequestFailure {}

/** An address without what may be secret in it. */
export const shownUrl = ({ protocol, host, pathname }: URL) => `${protocol}//${host}${pathname}`

const notNamed = (url: URL) => `access denied: the allowlist of this sandbox does not name ${shownUrl(url)}`

export const notAllowed = (url: URL) => new RequestFailure(7, notNamed(url), 'NOT_ALLOWED')

/** Another path of a host that is named. */
export const otherPath = (url: URL) => new UntoldRefusal(7, notNamed(url), 'NOT_ALLOWED')

export const notPublic = (hostname: string) =>
  new RequestFailure(7, `access denied: ${hostname} has no public address`, 'PRIVATE_ADDRESS')

export const notResolved = (hostname: string) =>
  new RequestFailure(6, `Could not resolve host: ${hostname}`, 'NAME_NOT_FOUND')

export const notConnected = (hostname: string, port: number) =>
  new RequestFailure(7, `Failed to connect to ${hostname} port ${port}`, 'CONNECT_FAILED')

export const brokenOff = () => new RequestFailure(52, 'Empty reply from server, or none of HTTP')

export const timedOut = () => new RequestFailure(28, 'Operation timed out', 'TOTAL_TIMEOUT')

export const tooLarge = (limit: number) =>
  new RequestFailure(
    63,
    `Maximum file size exceeded: the response is larger than ${limit} bytes`,
    'RESPONSE_TOO_LARGE',
  )
