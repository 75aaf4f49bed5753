/** Where the files are that translated commands use. Lists of directories do not show it. */
export const TRANSLATION_DIRECTORY = '/dev/.run'
