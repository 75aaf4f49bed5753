import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { layerDiagram } from '../../scripts/layer-diagram.ts'
import { isFull } from '../support/tier.ts'

test.runIf(isFull)('docs/architecture.md draws the imports between folders as they are', async () => {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
  // To draw it again: npx tsx scripts/write-layers.ts
  expect(page).toContain(await layerDiagram())
})
