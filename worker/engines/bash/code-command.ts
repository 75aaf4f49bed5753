const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const PROGRAMS = new Map(
  Object.entries({
    bash: 'bash -c',
    sh: 'sh -c',
    shell: 'bash -c',
    python: 'python3 -c',
    python3: 'python3 -c',
    javascript: 'js-exec -c',
    js: 'js-exec -c',
    awk: 'awk',
    jq: 'jq -n',
  }),
)

/** The command that runs source code in `language`; an unknown one is taken as a program's name. */
export function codeCommand(code: string, language: string): string {
  return `${PROGRAMS.get(language) ?? `${quote(language)} -c`} ${quote(code)}`
}
