import { HostFileError } from '../../../host-files/errors.ts'
import type { Volume } from '../files/volume.ts'
import { HostReads } from './host-reads.ts'

function refuse(): never {
  throw new HostFileError('EROFS')
}

/** A read-only bind: the host's files as they are now. */
export class ReadonlyVolume extends HostReads implements Volume {
  readonly write = refuse
  readonly append = refuse
  readonly makeDirectory = refuse
  readonly makeLink = refuse
  readonly link = refuse
  readonly remove = refuse
  readonly rename = refuse
  readonly chmod = refuse
  readonly setModified = refuse
}
