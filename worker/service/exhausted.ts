import { FarError } from './far-error.ts'

/** What Node, the system's loader and the runtime of an engine say where there is no further thread, descriptor or memory. */
const words =
  /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM): |Too many open files|Os \{ code: (?:11|12|23|24),|\(os error (?:11|12|23|24)\)|failed to spawn thread|thread terminated during build/

/**
 * The error of an opening that failed for want of threads, descriptors or memory: its worker has failed, whatever the
 * opening was to do.
 *
 * @param text - what was said. It must hold no secret.
 * @returns undefined where it says something else
 */
export function exhausted(text: string): FarError | undefined {
  if (!words.test(text)) return undefined
  const message =
    `The shell could not be started for want of threads, files or memory: ${text.replace(/\.$/, '')}. ` +
    'Raise `ulimit -u`, `ulimit -n` or the limits of the container, or open fewer sandboxes.'
  return new FarError({ code: 'WORKER_LOST', message, loss: { code: 'WORKER_FAILED', message } })
}
