/** What a named sandbox goes by at its host. */
export interface SandboxIdentity {
  readonly id: string
  /** The number of its first session. */
  readonly generation: number
}

const identities = new WeakMap<object, SandboxIdentity>()

/** Has the sandbox that is made with these options go by an identity. Only its host names it. */
export function identify<Options extends object>(options: Options, identity: SandboxIdentity): Options {
  identities.set(options, identity)
  return options
}

/** The identity that a host gave to options; undefined for options that no host made. */
export function identityOf(options: unknown): SandboxIdentity | undefined {
  return typeof options === 'object' && options !== null ? identities.get(options) : undefined
}
