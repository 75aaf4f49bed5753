import { loadBash } from './engines/bash/load.ts'
import { loadJail } from './engines/jail/load.ts'
import { loadStrands } from './engines/strands/strands-engine.ts'
import { createAdopt } from './service/adopt.ts'
import { takeTasks } from './service/take-tasks.ts'

/** What the host's pool runs in a worker: one task opens one lease. */
export default createAdopt({ bash: loadBash, jail: loadJail, strands: loadStrands })

takeTasks(module)
