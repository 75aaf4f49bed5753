export type {
  Authenticate,
  Grant,
  RecordStore,
  SandboxRecord,
  Scope,
  ServeOptions,
  TokenGrant,
} from './options.ts'
export { type Service, serve } from './serve.ts'
