import { quoted } from './text/quoted.ts'

const PROGRAMS = new Map(
  Object.entries({
    python: 'python3 -c',
    python3: 'python3 -c',
    javascript: 'js-exec -c',
    js: 'js-exec -c',
    awk: 'awk',
    jq: 'jq -n',
  }),
)

/** What bash calls itself when it runs source code in `language`; undefined where another program runs that. */
export function shellOf(language: string): 'bash' | 'sh' | undefined {
  if (language === 'sh') return 'sh'
  return language === 'bash' || language === 'shell' ? 'bash' : undefined
}

/** The command that runs source code in `language`; an unknown one is taken as a program's name. */
export function codeCommand(code: string, language: string): string {
  return `${PROGRAMS.get(language) ?? `${quoted(language)} -c`} ${quoted(code)}`
}
