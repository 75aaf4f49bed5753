import { errorMessage, isError } from './kinds.ts'
import { forbiddenByNode } from './permission-model.ts'

/** What helps where the system has no more of something, by the name of its error. */
const remedies: Readonly<Record<string, string>> = {
  EAGAIN:
    'This user, or this container, may start no further thread or process: raise `ulimit -u` or the limit of pids, or open fewer sandboxes.',
  EMFILE:
    'This process may open no further file: raise `ulimit -n`, or close files, connections or sandboxes.',
  ENFILE: 'The system may open no further file: raise `fs.file-max`, or close files.',
  ENOMEM: 'There is no memory left: raise the limit (`ulimit -v`, the container), or open fewer sandboxes.',
}

/** The system's errors that say that there is no more of something. */
export const EXHAUSTION_CODES: readonly string[] = Object.keys(remedies)

const names = new RegExp(`\\b(?:${EXHAUSTION_CODES.join('|')})\\b`)

/** The name of the system's error where it has no more threads, descriptors or memory; undefined for any other error. */
export function exhaustionCode(error: unknown): string | undefined {
  if (!isError(error)) return undefined
  if (error.name === 'RangeError' && /allocation failed/i.test(error.message)) return 'ENOMEM'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return names.exec(`${code} ${error.message}`)?.[0]
}

/** What an error says and, where the system has no more of something or Node does not allow it, what helps. */
export function withRemedy(error: unknown): string {
  const forbidden = forbiddenByNode(error)
  if (forbidden !== undefined) return forbidden
  const message = errorMessage(error)
  const code = exhaustionCode(error)
  const remedy = code === undefined ? undefined : remedies[code]
  return remedy === undefined ? message : `${message.replace(/\.$/, '')}. ${remedy}`
}
