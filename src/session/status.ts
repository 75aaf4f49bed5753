/** Where a sandbox is in its life. */
export type SandboxStatus = 'new' | 'opening' | 'open' | 'lost' | 'hibernated' | 'closed'
