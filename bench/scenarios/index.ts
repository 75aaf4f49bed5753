import type { Scenario } from '../scenario.ts'
import { churn } from './churn.ts'
import { dropped } from './dropped.ts'
import { eventLoop } from './event-loop.ts'
import { execute } from './execute.ts'
import { executeMany } from './execute-many.ts'
import { files } from './files.ts'
import { inFlight } from './in-flight.ts'
import { memory } from './memory.ts'
import { open } from './open.ts'
import { recursion } from './recursion.ts'
import { scaling } from './scaling.ts'
import { scriptsScenario } from './scripts.ts'
import { serverless } from './serverless.ts'
import { session } from './session.ts'

/** Every scenario, in the order in which they run and are shown. */
export const scenarios: readonly Scenario[] = [
  open,
  serverless,
  execute,
  inFlight,
  executeMany,
  session,
  scriptsScenario,
  files,
  memory,
  churn,
  eventLoop,
  scaling,
  dropped,
  recursion,
]
