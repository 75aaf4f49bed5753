import { createRequire } from 'node:module'
import { errorMessage } from '../../service/error-message.ts'
import { FarError } from '../../service/far-error.ts'

type OnDemand = typeof import('./on-demand.ts')

const file = './on-demand.cjs'
const load = createRequire(__filename)

/** Loads the part of the worker that most sessions do without. @throws FarError where its file is not there */
export function loadOnDemand(): OnDemand {
  try {
    return load(file) as OnDemand
  } catch (error) {
    const reason = errorMessage(error)
    throw new FarError({
      code: 'IO_ERROR',
      message: `Mirrored binds, copies, config files, snapshots and calls on whole directories need the file 'on-demand.cjs' of this package next to the worker entry ('${__filename}'): ${reason}`,
    })
  }
}
