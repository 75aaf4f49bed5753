// Draws the imports between folders into docs/architecture.md: npx tsx scripts/write-layers.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { layerDiagram } from './layer-diagram.ts'

const page = new URL('../docs/architecture.md', import.meta.url)
const diagram = await layerDiagram()
const text = readFileSync(page, 'utf8')
writeFileSync(
  page,
  text.replace(/```mermaid\n.*?```/s, () => diagram),
)
