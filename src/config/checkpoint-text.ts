/** Characters of the names, variables and functions that are kept of a session. */
export const CHECKPOINT_TEXT = 32 * 2 ** 20
