import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'
import type { EgressRules } from './rules.ts'

/** A cell that may use the proxy, and what it holds open there. */
export interface Cell {
  readonly id: string
  readonly tokenHash: Buffer
  rules: EgressRules
  /** Connections that gave the cell's token. */
  readonly sockets: Set<Socket>
  readonly exchanges: Set<Exchange>
}

const basic = /^Basic +([a-z0-9+/]+={0,2})$/i

/** The cells of a proxy, by the user name of their credentials. */
export class Cells {
  readonly #cells = new Map<string, Cell>()
  readonly #nobody = randomBytes(32)
  #last = 0

  /** Adds a cell; gives the credentials it is to show. */
  add(
    id: string,
    rules: EgressRules,
  ): { readonly cell: Cell; readonly user: string; readonly token: string } {
    const user = `cell${++this.#last}`
    const token = randomBytes(32).toString('base64url')
    const cell = {
      id,
      tokenHash: hash(token),
      rules,
      sockets: new Set<Socket>(),
      exchanges: new Set<Exchange>(),
    }
    this.#cells.set(user, cell)
    return { cell, user, token }
  }

  /** Ends everything of a cell; its credentials are worth nothing from now on. */
  remove(user: string): void {
    const cell = this.#cells.get(user)
    if (cell === undefined) return
    this.#cells.delete(user)
    for (const exchange of [...cell.exchanges]) exchange.end('REVOKED')
    for (const socket of cell.sockets) socket.destroy()
  }

  removeAll(): void {
    for (const user of [...this.#cells.keys()]) this.remove(user)
  }

  /** Whose credentials these are, given every `Proxy-Authorization` header of a request. Takes the same time for a wrong user as for a wrong token. */
  find(headers: readonly string[] | undefined): Cell | undefined {
    const [header, ...others] = headers ?? []
    const encoded = others.length === 0 ? basic.exec(header ?? '')?.[1] : undefined
    if (encoded === undefined) return undefined
    const [, user = '', token = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
    const cell = this.#cells.get(user)
    return timingSafeEqual(hash(token), cell?.tokenHash ?? this.#nobody) ? cell : undefined
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
