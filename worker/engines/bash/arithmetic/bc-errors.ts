/** What is wrong with a line; the lines behind it run. */
export class BcError extends Error {}

/** A line that is not valid: it prints nothing. */
export class BcSyntaxError extends BcError {}

/** What bc has and this one lacks: nothing more of the script runs. */
export class BcLimit extends Error {}
