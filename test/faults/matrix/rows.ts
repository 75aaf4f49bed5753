import type { MatrixEngine } from './engines.ts'
import { promised } from './expected.ts'
import { cacheFills, type Fault } from './faults.ts'
import { momentNames } from './moments.ts'
import { levels, momentsOf } from './run-group.ts'
import { endlessFiles } from './stopped-clock.ts'
import { type Row, wordOf } from './table.ts'

/** The signals that end the service's process. */
export const fatalSignals = ['SIGTERM', 'SIGKILL'] as const

/** What the page says of an engine: what is promised, which the tests compare with what comes of each fault. */
export function rowsOf(engine: MatrixEngine): readonly Row[] {
  const ofCache = engine.hasCache
    ? [
        ...cacheFull,
        ...rowsOfFault(
          engine,
          cacheFills(() => undefined),
        ),
      ]
    : []
  return [
    ...[...engine.faults, endlessFiles(engine)].flatMap((fault) => rowsOfFault(engine, fault)),
    ...ofCache,
    ...fatalSignals.flatMap(ofSignal),
  ]
}

function rowsOfFault(engine: MatrixEngine, fault: Fault): readonly Row[] {
  const { name, takes, told, excluded } = fault
  const codes = fault.error?.split(' ').map((code) => `\`${code}\``)
  const words = Object.fromEntries(
    momentsOf(fault).map((moment) => [moment, wordOf(promised(engine, fault, moment), fault.error)]),
  )
  const error = codes?.join(', cause ') ?? '—'
  return fault.levels.map((level) => ({ fault: name, level, error, told: told.when, takes, excluded, words }))
}

const cacheFull: readonly Row[] = levels.map((level) => ({
  fault: "disk of the engine's cache full",
  level,
  error: '—',
  told: 'at once',
  takes: 'nothing',
  excluded: 'what is open has the engine already',
  words: { open: '`ENGINE_UNAVAILABLE`', 'queued open': '`ENGINE_UNAVAILABLE`' },
}))

function ofSignal(signal: string): readonly Row[] {
  const fault = `the service's process gets ${signal}`
  const words = Object.fromEntries(momentNames.map((name) => [name, 'ends']))
  return levels.map((level) => ({
    fault,
    level,
    error: '—',
    told: 'its cells are gone at once',
    takes: 'all',
    words,
  }))
}
