/** Where the files are that translated commands use. Lists of directories do not show it. */
export const TRANSLATION_DIRECTORY = '/dev/.run'

/** Before the number of a file for messages. It is left there, and used again. */
export const MESSAGES = `${TRANSLATION_DIRECTORY}/said_`

/** Before the number of a file for a script that a command prints. */
export const PIPED = `${TRANSLATION_DIRECTORY}/piped_`

/** Where a program leaves what it refuses: its message may go where nobody reads it. */
export const REFUSALS = `${TRANSLATION_DIRECTORY}/bin/refused`
