/** What a sandbox has for itself: a worker thread, a shell in a shared one, or a thread in a child process. */
export type Isolation = 'worker' | 'shared' | 'process'

/** Every isolation level. */
export const ISOLATION_LEVELS = ['worker', 'shared', 'process'] as const satisfies readonly Isolation[]

/** What cells may reach of the network. */
export type NetworkMode = 'public' | 'allowlist' | 'none'

/** Every network mode. */
export const NETWORK_MODES = ['public', 'allowlist', 'none'] as const satisfies readonly NetworkMode[]

/** Whether cells are in jails: where the machine can have jails, always, or never. */
export type Hardening = 'auto' | 'require' | 'none'

/** Every choice. */
export const HARDENING_CHOICES = ['auto', 'require', 'none'] as const satisfies readonly Hardening[]

/** What a host may ask of the network: a mode of its cells, or `'restricted'`, to which sandboxes are held or refused. */
export type HostNetwork = NetworkMode | 'restricted'
