import type { ToolResultBlock } from '@strands-agents/sdk'
import { clip } from '../tools/output/clip.ts'
import { count } from '../tools/output/numbers.ts'
import { sdk } from './sdk.ts'

/** What the SDK's editor shows of a file, in a length that a model can take. */
export function clipResult(
  { toolUseId, status, content, error }: ToolResultBlock,
  limit: number,
): ToolResultBlock {
  return new sdk.ToolResultBlock({
    toolUseId,
    status,
    content: content.map((block) =>
      block.type === 'textBlock' ? new sdk.TextBlock(clipText(block.text, limit)) : block,
    ),
    ...(error === undefined ? {} : { error }),
  })
}

function clipText(text: string, limit: number): string {
  const clipped = clip(text, limit)
  if (clipped.isWhole) return text
  const { characters, lines } = clipped.leftOut
  const note = `[… ${count(characters, 'character')} in ${count(lines, 'line')} left out here. View fewer lines with view_range.]`
  return `${clipped.head}\n${note}\n${clipped.tail}`
}
