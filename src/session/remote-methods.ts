import type * as Comlink from 'comlink'
import type { ShellApi } from '../contract/shell-api.ts'

type Methods = { readonly [K in keyof ShellApi]: Comlink.Remote<ShellApi>[K] }

/** The proxies of a shell's methods, each made once: Comlink makes a new one, of half a kilobyte, at every property access. */
export class RemoteMethods {
  readonly #remote: Methods
  readonly #made: { -readonly [K in keyof Methods]?: Methods[K] } = {}

  constructor(remote: Comlink.Remote<ShellApi>) {
    this.#remote = remote
  }

  of<K extends keyof ShellApi>(name: K): Methods[K] {
    const made: Methods[K] = this.#made[name] ?? this.#remote[name]
    this.#made[name] = made
    return made
  }
}
