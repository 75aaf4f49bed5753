import { ENGINE_COMMANDS, insteadOf, insteadOfOption, RUNTIME_COMMANDS } from '../engine-commands.ts'
import type { ShellGuide } from './shell-guide.ts'

/** Directories that every session can write. */
const ALWAYS_WRITABLE = ['/tmp', '/home/lash']

/** Strands Shell. */
export const strandsGuide: ShellGuide = {
  describe: () =>
    [
      'Runs a command in a sandbox: a small Bourne shell (sh), not bash, and no Linux system around it.',
      'The session lasts from call to call: working directory, variables, functions and files; background jobs end with their command.',
      'There are: cat cp curl cut find grep head jq ls lua mkdir mv rm sed sort tail tar tee tr uniq wc xargs and the like.',
      'Not there: git, node, python, wget (use awk, lua, jq, sed, curl); arrays, process substitution <( ).',
      'Output that is not UTF-8 comes back empty: redirect it to a file.',
    ].join(' '),
  interrupted:
    'the session is kept, but the command runs on until it ends or reaches that limit, and the next call waits for it',
  afterInterrupt:
    'The session and its files are kept, but the command runs on until it ends or the sandbox ends it: the next call waits for that.',
  afterDeadline: 'The session lives on; what the command had done stays.',
  writable: ({ writable }) => `${[...ALWAYS_WRITABLE, ...writable].join(', ')} can be written`,
  permissionAdvice: ({ binds, writable }) => {
    const bound = binds.filter(({ readonly }) => !readonly).map(({ destination }) => destination)
    return `Writable are: ${[...bound, ...ALWAYS_WRITABLE, ...writable].join(', ')}.`
  },
  languages: () => ['lua', 'sh', 'awk'],
  commandsOf: () => [...ENGINE_COMMANDS, ...RUNTIME_COMMANDS],
  insteadOf,
  missingOptions: {
    message:
      /^(?:strands-shell: )?(?<name>[\w-]+): (?:invalid option '(?<option>-[^']*)'|unknown predicate: '(?<predicate>-[^']*)'|the option (?<missing>-\S*) is not available here)$/gm,
    instead: insteadOfOption,
  },
  notFound: /^strands-shell: ([^\s:]+): command not found$/gm,
}
