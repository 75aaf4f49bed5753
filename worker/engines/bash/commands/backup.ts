import type { CommandContext } from '../just-bash.ts'

/** How the file that is replaced is kept: `simple` with a suffix, `numbered` with a number, `existing` as those before. */
export type BackupKind = 'none' | 'simple' | 'numbered' | 'existing'

const KINDS: Readonly<Record<string, BackupKind>> = {
  none: 'none',
  off: 'none',
  simple: 'simple',
  never: 'simple',
  existing: 'existing',
  nil: 'existing',
  numbered: 'numbered',
  t: 'numbered',
}

/** The kind that `-b` or `--backup=…` names, or undefined. */
export const backupKind = (name: string): BackupKind | undefined => KINDS[name]

/** Moves a file aside that is about to be replaced. @returns where it is then */
export async function setAside(
  full: string,
  kind: BackupKind,
  suffix: string,
  { fs }: CommandContext,
): Promise<string | undefined> {
  if (kind === 'none' || !(await fs.exists(full))) return undefined
  const folder = full.replace(/\/[^/]*$/, '') || '/'
  const name = full.slice(full.lastIndexOf('/') + 1)
  const numbers = (await fs.readdir(folder)).flatMap((other) => {
    const number = other.startsWith(`${name}.~`)
      ? /^~(\d+)~$/.exec(other.slice(name.length + 1))?.[1]
      : undefined
    return number === undefined ? [] : [Number(number)]
  })
  const numbered = kind === 'numbered' || (kind === 'existing' && numbers.length > 0)
  const target = numbered ? `${full}.~${Math.max(0, ...numbers) + 1}~` : full + suffix
  await fs.mv(full, target)
  return target
}
