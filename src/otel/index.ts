export type { WatchedHost } from '../telemetry/watched-host.ts'
export { type Instrumentation, instrument } from './instrument.ts'
export type { InstrumentOptions } from './options.ts'
