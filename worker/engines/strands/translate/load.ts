import { errorMessage } from '../../../service/error-message.ts'
import { FarError } from '../../../service/far-error.ts'
import { loadFile } from '../../../service/load-file.ts'

type Translation = typeof import('./entry.ts')

const file = './translate.cjs'
let loaded: Translation | undefined

/** Loads what translates commands: a parser, which a session of plain commands does without. @throws FarError where its file is not there */
export function loadTranslation(): Translation {
  try {
    loaded ??= loadFile(file) as Translation
    return loaded
  } catch (error) {
    const reason = errorMessage(error)
    throw new FarError({
      code: 'IO_ERROR',
      message: `Commands need the file 'translate.cjs' of this package next to the worker entry ('${__filename}'): ${reason}`,
    })
  }
}
