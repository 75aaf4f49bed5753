import type { Check } from '../figure.ts'
import { bash } from './bash.ts'
import { cells } from './cells.ts'
import { cluster } from './cluster.ts'
import { events } from './events.ts'
import { hibernate } from './hibernate.ts'
import { hosting } from './hosting.ts'
import { jail } from './jail.ts'
import { jailSandbox } from './jail-sandbox.ts'
import { mirror } from './mirror.ts'
import { policy } from './policy.ts'
import { serve } from './serve.ts'
import { sync } from './sync.ts'
import { telemetry } from './telemetry.ts'
import { tenants } from './tenants.ts'

/** Every check, in the order in which they run. */
export const checks: readonly Check[] = [
  hosting,
  cells,
  jail,
  mirror,
  sync,
  bash,
  jailSandbox,
  hibernate,
  serve,
  cluster,
  policy,
  tenants,
  events,
  telemetry,
]
