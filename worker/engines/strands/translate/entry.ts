/** The translation of commands, in a file of its own: a new worker's start is mostly the reading of its code. */
export { runTranslated } from './run-translated.ts'
export { translateCode } from './session.ts'
