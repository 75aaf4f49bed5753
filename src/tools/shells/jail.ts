import type { SandboxSummary } from '../../hosted-sandbox/summary.ts'
import type { ShellGuide } from './shell-guide.ts'

/** The machine's own bash, in a jail. */
export const jailGuide: ShellGuide = {
  describe: (summary) =>
    [
      'Runs a command in GNU bash with the programs of a Linux machine; `ls /usr/bin` lists them.',
      'The session lasts from call to call: working directory, variables, functions, options and files; `exit` ends the command, not the session. Jobs in the background go on after the call, and what they print then is dropped: send it to a file.',
      // Where there is none the sentences about the network say so.
      ...(hasNetwork(summary)
        ? ['The network is what the proxy in http_proxy and https_proxy lets through.']
        : []),
      'There is no root: packages cannot be installed into the system.',
    ].join(' '),
  interrupted:
    'the command is stopped with all that it has started, and the session is kept with its variables',
  afterInterrupt:
    'The command was stopped with all that it had started. The session is kept: files, and the variables that the command had set.',
  afterDeadline: 'The session lives on: files and variables stay.',
  writable: () => 'every directory can be written but those of programs',
  permissionAdvice: ({ binds }) => {
    const fixed = binds.filter(({ readonly }) => readonly).map(({ destination }) => destination)
    const places = ['/usr', '/opt', '/dev', ...fixed]
    return `Everything can be written but: ${places.join(', ')}.`
  },
  languages: () => ['bash', 'sh', 'python3', 'node', 'perl', 'awk'],
  commandsOf: () => ['the programs of /usr/bin'],
  insteadOf: () => undefined,
  missingOptions: undefined,
  notFound: /^bash: (?:line \d+: )?([^\s:]+): command not found$/gm,
}

function hasNetwork({ network }: SandboxSummary): boolean {
  return network !== 'none'
}
