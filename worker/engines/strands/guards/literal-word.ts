import type { ScriptWord } from './script-visitor.ts'

const longestName = 32

/** The word after quote removal; null where it is long, holds an expansion, or mixes escapes and quotes. */
export function literalWord(text: string, { start, end, plain }: ScriptWord): string | null {
  if (plain !== null) return plain
  if (end - start > longestName) return null
  const raw = text.slice(start, end)
  if (/[$`\n]/.test(raw) || (raw.includes('\\') && /['"]/.test(raw))) return null
  return raw.replaceAll(/['"\\]/g, '')
}
