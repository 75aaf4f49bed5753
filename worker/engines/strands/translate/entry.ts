/** The translation of commands, in a file of its own: a new worker's start is mostly the reading of its code. */
export { markOf } from './definitions.ts'
export { knownFunctions } from './known-functions.ts'
export { takeFunctions } from './restore-functions.ts'
export { runTranslated } from './run-translated.ts'
export { sessionOf, translateCode } from './session.ts'
