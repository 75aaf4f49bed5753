import type { SandboxSummary } from '../../hosted-sandbox/summary.ts'
import { BASH_COMMANDS, MISSING_IN_BASH, NETWORK_COMMANDS, PYTHON_COMMANDS } from './bash-commands.ts'
import { describeHostCommands } from './host-commands.ts'
import type { ShellGuide } from './shell-guide.ts'

const byName = new Map(MISSING_IN_BASH.flatMap(({ names, instead }) => names.map((name) => [name, instead])))

/** Bash, in JavaScript. */
export const bashGuide: ShellGuide = {
  describe: (summary) =>
    [
      'Runs a command in bash: the whole language, with arrays, [[ ]], here-documents, process substitution and pipes into `while read`.',
      'The session lasts from call to call: working directory, variables, functions, options and files; `exit` ends the command, not the session.',
      `There are: awk bc column cut diff find grep gzip jq rg sed seq sort sqlite3 stat tar tree xargs xxd yq${summary.python ? ' python3' : ''} and the usual others; \`ls /usr/bin\` lists them.`,
      describeHostCommands(summary.commands),
      `Not there: ${missingNames(summary).join(', ')}; nothing can be installed. A command behind & runs in the foreground.`,
      summary.python
        ? 'python3 has the standard library alone and starts no processes; each start takes about two seconds.'
        : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  interrupted:
    'the command is stopped and the session is kept, without the variables that the command had set',
  afterInterrupt:
    'The command was stopped. The session and its files are kept, without the variables that the command had set.',
  afterDeadline:
    'The session lives on: what the command did to files stays, the variables that it had set are lost.',
  writable: () => 'every directory can be written',
  permissionAdvice: ({ binds }) => {
    const fixed = binds.filter(({ readonly }) => readonly).map(({ destination }) => destination)
    return fixed.length === 0 ? '' : `Everything can be written but: ${fixed.join(', ')}.`
  },
  languages: ({ python }) => ['bash', 'sh', ...(python ? ['python3'] : []), 'awk', 'jq'],
  commandsOf: (summary) => [
    ...BASH_COMMANDS,
    ...(summary.python ? PYTHON_COMMANDS : []),
    ...(hasNetwork(summary) ? NETWORK_COMMANDS : []),
    ...summary.commands.map(({ name }) => name),
  ],
  insteadOf: (name, summary) => {
    if (PYTHON_COMMANDS.includes(name) && !summary.python) return 'awk, jq, bc or bash itself'
    if (NETWORK_COMMANDS.includes(name) && !hasNetwork(summary)) return 'there is no network here'
    return byName.get(name)
  },
  missingOptions: undefined,
  // The second text is said of programs that just-bash has and that are switched off.
  notFound: /^bash: (?:line \d+: )?([^\s:]+): command not (?:found$|available in )/gm,
}

/** What models look for first, and do not find. */
function missingNames(summary: SandboxSummary): readonly string[] {
  const names = ['git', 'node', 'perl', 'make', 'package managers']
  if (!hasNetwork(summary)) names.push('curl')
  if (!summary.python) names.push('python')
  return names.filter((missing) => summary.commands.every(({ name }) => name !== missing))
}

function hasNetwork({ network }: SandboxSummary): boolean {
  return network !== 'none'
}
