import { EXHAUSTION_CODES, EXHAUSTION_REMEDIES } from '../../src/contract/exhaustion.ts'
import { FarError } from './far-error.ts'
import { systemCode } from './system-code.ts'

/** `EAGAIN` of a file says that it has nothing to read now. */
const OF_FILES = EXHAUSTION_CODES.filter((code) => code !== 'EAGAIN')

/** Whether no file can be opened for want of descriptors or memory: the error says nothing of the file. */
export function isExhausted(error: unknown): boolean {
  return OF_FILES.includes(systemCode(error) ?? '')
}

/** What Node, the system's loader and the runtime of an engine say where there is no more of something. */
const WORDS: Readonly<Record<string, RegExp>> = {
  EAGAIN:
    /\bEAGAIN(?:: |$)|\bcode: 11,|\(os error 11\)|failed to spawn thread|thread terminated during build/,
  EMFILE: /\bEMFILE(?:: |$)|\bcode: 24,|\(os error 24\)|Too many open files/,
  ENFILE: /\bENFILE(?:: |$)|\bcode: 23,|\(os error 23\)/,
  ENOMEM: /\bENOMEM(?:: |$)|\bcode: 12,|\(os error 12\)/,
}

/**
 * The error of an opening that failed for want of threads, descriptors or memory: its worker has failed, whatever the
 * opening was to do.
 *
 * @param text - what was said. It must hold no secret.
 * @returns undefined where it says something else
 */
export function startFailure(text: string): FarError | undefined {
  const code = EXHAUSTION_CODES.find((one) => WORDS[one]?.test(text))
  if (code === undefined) return undefined
  const message = `The shell could not be started: ${text.replace(/\.$/, '')}. ${EXHAUSTION_REMEDIES[code]}`
  return new FarError({ code: 'WORKER_LOST', message, loss: { code: 'WORKER_FAILED', message } })
}
