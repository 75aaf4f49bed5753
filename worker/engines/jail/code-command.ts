import { quoted } from './quoted.ts'
import { DRIVER } from './scripts/places.ts'

/** Names of languages that are not those of the programs that run them. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['python', 'python3'],
  ['javascript', 'node'],
  ['js', 'node'],
  ['shell', 'bash'],
])

/** Programs that take a file by an option: a word of theirs is code itself. */
const BY_OPTION: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'sed', 'jq'])

/** The command that runs the file of code; an unknown language is taken as a program's name. */
export function codeCommand(language: string): string {
  const program = PROGRAMS.get(language) ?? language
  return `${quoted(program)} ${BY_OPTION.has(program) ? '-f ' : ''}${DRIVER}/code`
}
