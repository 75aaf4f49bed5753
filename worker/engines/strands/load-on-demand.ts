import { errorMessage } from '../../service/error-message.ts'
import { FarError } from '../../service/far-error.ts'
import { loadFile } from '../../service/load-file.ts'

type OnDemand = typeof import('./on-demand.ts')

const file = './on-demand.cjs'
/** Loads the part of the worker that most sessions do without. @throws FarError where its file is not there */
export function loadOnDemand(): OnDemand {
  try {
    return loadFile(file) as OnDemand
  } catch (error) {
    const reason = errorMessage(error)
    throw new FarError({
      code: 'IO_ERROR',
      message: `Mirrored binds, copies, config files, snapshots and calls on whole directories need the file 'on-demand.cjs' of this package next to the worker entry ('${__filename}'): ${reason}`,
    })
  }
}
