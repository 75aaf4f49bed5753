import type { FileFact } from '../../../../src/contract/checkpoint.ts'

/** `target` is empty for what is no link. @throws {TypeError} where a checkpoint holds something else */
export function parseFact(text: string): Required<FileFact> {
  const fact: unknown = JSON.parse(text)
  if (typeof fact !== 'object' || fact === null) throw wrong()
  const { type, mode, modified, target = '' }: Partial<Record<keyof FileFact, unknown>> = fact
  if (type !== 'file' && type !== 'directory' && type !== 'symlink') throw wrong()
  if (typeof mode !== 'number' || typeof modified !== 'number' || typeof target !== 'string') throw wrong()
  return { type, mode, modified, target }
}

function wrong(): TypeError {
  return new TypeError('The checkpoint is not of this version of the bash engine.')
}
