import { refuse } from '../../sandbox/arguments.ts'
import { showValue } from '../../sandbox/show-value.ts'

/** Characters of a name of a file, with room for what else the file system takes. */
const MOST_CHARACTERS = 240

/** The name of an id's folder: letters, digits, `-` and `_` as they are, other bytes as `%2F`. @throws SandboxConfigError */
export function nameOfId(id: unknown): string {
  if (typeof id !== 'string' || id === '' || !id.isWellFormed())
    throw refuse(
      'id',
      `must be a string that is not empty and has no half of a surrogate pair, but is ${showValue(id)}.`,
    )
  const name = encoded(id)
  if (name.length <= MOST_CHARACTERS) return name
  throw refuse(
    'id',
    `is too long: its name in the directory would have ${name.length} characters, and ${MOST_CHARACTERS} is the most.`,
  )
}

/** The id of a folder; undefined for one that is of no id. */
export function idOfName(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name)
    return encoded(id) === name ? id : undefined
  } catch {
    // It is no text in UTF-8: no id has such a folder.
    return undefined
  }
}

function encoded(id: string): string {
  const escaped = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return id.replaceAll(/[^A-Za-z0-9_-]/gu, (character) =>
    Array.from(Buffer.from(character), escaped).join(''),
  )
}
