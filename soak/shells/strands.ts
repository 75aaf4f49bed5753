import type { SoakShell } from './shell.ts'

/** Strands Shell. */
export const strands: SoakShell = {
  name: 'strands',
  home: '/home/lash',
  goesOn: false,
  language: 'lua',
  printIn: (text) => `print("${text}")`,
  limit: ['maxDepth', 64],
  isDenied: ({ exitCode, stderr }) => exitCode === 1 && stderr.includes('access denied'),
  overdue: (slow, seconds) => ({
    name: 'request that is answered too late',
    reasons: ['DEADLINE_IGNORED'],
    // A host whose thread was late waits for four seconds more.
    command: `curl -s ${slow}${seconds + 10}`,
  }),
  fatal: [{ name: 'panic', reasons: ['ENGINE_PANIC'], command: 'find /tmp -maxdepth 0 -exec [ a = ] \\;' }],
  havoc: [
    { name: 'allocation', reasons: ['CELL_EXITED'], command: 'echo a | tail -n 100000000000' },
    // On a busy machine the time limit of the command comes before that of memory.
    { name: 'memory', reasons: ['CELL_MEMORY', 'DEADLINE_IGNORED'], command: 'head -n1 /dev/zero' },
    { name: 'endless command', reasons: ['RESET'], command: 'cat /dev/zero > /dev/null', timeout: 0.3 },
  ],
}
