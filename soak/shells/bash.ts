import type { SoakShell } from './shell.ts'

/** A regular expression that takes no step: it would take years. */
const stuck = `expr ${'a'.repeat(60)}! : '\\(a*\\)*b'`

/** What becomes of a session whose heap is full: V8 may end its process. */
const full = ['HEAP_EXHAUSTED', 'CELL_MEMORY', 'CELL_EXITED', 'DEADLINE_IGNORED'] as const

/** just-bash. */
export const bash: SoakShell = {
  name: 'bash',
  home: '/home/user',
  goesOn: true,
  language: 'awk',
  printIn: (text) => `BEGIN { print "${text}" }`,
  limit: ['maxOutput', 10 * 2 ** 20],
  isDenied: ({ exitCode }) => exitCode === 7,
  overdue: () => ({ name: 'command without steps', reasons: ['DEADLINE_IGNORED'], command: stuck }),
  fatal: [{ name: 'stuck command', reasons: ['DEADLINE_IGNORED'], command: stuck, timeout: 0.3 }],
  havoc: [
    { name: 'endless command', reasons: ['RESET'], command: 'while :; do :; done', timeout: 0.3 },
    {
      name: 'growing variable',
      reasons: full,
      command: 'x=aaaaaaaa; while :; do x=$x$x; done',
      maySurvive: true,
    },
    {
      name: 'growing array',
      reasons: full,
      command: 'timeout 5 awk \'BEGIN { while (1) a[i++] = "aaaaaaaaaaaaaaaaaaaaaaaa" i }\'',
      maySurvive: true,
    },
  ],
}
