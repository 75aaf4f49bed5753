/** An answer to a request that is not let through. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    { headers = {} }: { readonly headers?: Readonly<Record<string, string>> | undefined } = {},
  ) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** For requests to a server that closes. */
export function aboutToStop(): Refusal {
  return new Refusal(503, 'The server is about to stop.', { headers: { 'retry-after': '1' } })
}
