/** What is wrong with a line; the lines behind it run. */
export class BcError extends Error {}

/** What bc has and this one lacks: nothing more of the script runs. */
export class BcLimit extends Error {}
