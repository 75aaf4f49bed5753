import type { FileSystem } from './file-system.ts'

const chunk = 64 * 1024

/** What every line begins with. */
const begin = Buffer.from('{"kind":"')

/** The end of a file is no line of an audit log that was cut short. */
class ForeignFileError extends Error {
  constructor() {
    super('its last line is not one of an audit log')
  }
}

/**
 * Cuts off the last line of a file where it has no line break: whoever wrote it was stopped in the middle.
 *
 * @throws ForeignFileError where it is no begin of a line of a log: the file is left as it is
 */
export function cutPartialLine(fd: number, fs: FileSystem): void {
  const { size } = fs.factsNow(fd)
  const end = endOfWhole(fd, size, fs)
  if (end === size) return
  const first = Buffer.alloc(Math.min(begin.length, size - end))
  fs.readNow(fd, first, end)
  if (!first.equals(begin.subarray(0, first.length))) throw new ForeignFileError()
  fs.truncateNow(fd, end)
}

/** Where the last line break ends; 0 where there is none. */
function endOfWhole(fd: number, size: number, fs: FileSystem): number {
  for (let end = size; end > 0; end -= chunk) {
    const start = Math.max(0, end - chunk)
    const bytes = Buffer.alloc(end - start)
    const read = fs.readNow(fd, bytes, start)
    const at = bytes.subarray(0, read).lastIndexOf(10)
    if (at !== -1) return start + at + 1
  }
  return 0
}
