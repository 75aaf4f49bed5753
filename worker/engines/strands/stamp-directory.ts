/** Where the runtime keeps files of its own inside a sandbox whose binds it mirrors. */
export const STAMP_DIRECTORY = '/dev/.mirror'
