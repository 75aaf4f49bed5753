/** The one way of a jail to the network: a program in it listens on loopback and joins connections to a socket of the host's proxy. */
export interface WayOut {
  /** The address of the proxy as the jail sees it, with the token of its lease. */
  readonly proxy: string
  /** The socket that the proxy of the host listens on: a path of the host. */
  readonly socket: string
  /** Hosts that the jail reaches in itself: loopback, where its sandbox names nothing of that of the host. */
  readonly inside: readonly string[]
  /** The program that joins the two: paths of Node, and of a script that takes the port and the path of the socket. */
  readonly relay: { readonly node: string; readonly script: string }
}
