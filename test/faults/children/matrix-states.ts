import { writeSync } from 'node:fs'
import { ownCells } from '../../places/cells/children/cells-of.ts'
import { matrixEngines } from '../matrix/engines.ts'
import { momentNames, moments } from '../matrix/moments.ts'
import { type Scene, Stage } from '../matrix/stage.ts'

/** Ends by a signal while its sandboxes, some of each isolation level that is named, are in every state there is. */
const [shell, directory = '', signal = '', ...named] = process.argv.slice(2)
const engine = matrixEngines[shell === 'bash' ? 'bash' : 'strands']
const scenes: readonly Scene[] = await Promise.all(
  (['worker', 'shared', 'process'] as const)
    .filter((level) => named.includes(level))
    .flatMap((level) => {
      const stage = new Stage({ engine, level, directory })
      return momentNames.map(async (name) => (await moments[name](stage, `${level} ${name}`))())
    }),
)
writeSync(1, JSON.stringify({ cells: ownCells(), states: scenes.map(({ id }) => id) }))
for (const scene of scenes) scene.begin?.()
process.kill(process.pid, signal)
