/** Where the driver's own files are in every jail. Names are short: bash reads its lines byte by byte. */
export const DRIVER = '/run/j'
/** What a jail with a network has for it. */
export const NETWORK = '/run/jail-network'
/** A small file system of its own for the state of a shell that ends. */
export const STATE = '/run/jail-state'
