export type { RemoteConfig, RemoteOptions } from './options.ts'
export { type RemoteInfo, RemoteSandbox } from './remote-sandbox.ts'
