/** What a text has that asks for the status of the command before. */
export const ASKS_STATUS: RegExp = /\$\{?\?/
