/** What any program may know of this process's environment: where things are, and how to speak to people. The `LC_` variables come on top. */
export const HARMLESS_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'TERM',
  'TZ',
  'TMPDIR',
  'USER',
  'LOGNAME',
  'SHELL',
]
