import type { Check } from '../figure.ts'
import { bash } from './bash.ts'
import { cells } from './cells.ts'
import { hibernate } from './hibernate.ts'
import { hosting } from './hosting.ts'
import { mirror } from './mirror.ts'
import { sync } from './sync.ts'

/** Every check, in the order in which they run. */
export const checks: readonly Check[] = [hosting, cells, mirror, sync, bash, hibernate]
