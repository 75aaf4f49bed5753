import { beforeAll } from 'vitest'
import { until } from '../faults/basics.ts'
import { cellPids } from '../places/cells/cell-pids.ts'

// Files share a process: none begins while a cell of the one before it is there.
beforeAll(() => until(() => cellPids().length === 0))
