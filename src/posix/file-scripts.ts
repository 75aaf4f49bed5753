import { randomBytes } from 'node:crypto'
import { FILE_EXITS } from '../sandbox/shell-files/failure.ts'
import { script } from '../sandbox/shell-files/scripts.ts'

/** Lines around what a script prints, so that nothing else is taken for it. */
export const FRAMES = { begin: '[strands begin]', next: '[strands next]', end: '[strands end]' } as const

const { missing, notDirectory, directory, irregular, readonly, incomplete } = FILE_EXITS
const LINE_LENGTH = 76

/** A program on the standard input of its interpreter. */
export function runCode(code: string, language: string): string {
  return decoded(Buffer.from(code), `| ${language}`)
}

/**
 * A program in a file of that name among the temporary ones, which is removed afterwards: standard input is the program's. Who
 * is stopped by SIGTERM removes it as well.
 */
export function runStagedCode(code: string, language: string, name: string): string {
  return [
    `t=\${TMPDIR:-/tmp}/${name}`,
    `trap 'rm -f -- "$t"; exit 143' HUP INT TERM`,
    'u=$(umask); umask 077',
    decoded(Buffer.from(code), '> "$t" || exit 1'),
    `umask "$u"; ${language} "$t"; c=$?; rm -f -- "$t"; exit "$c"`,
  ].join('\n')
}

/** Prints what identifies the file, and at most `length` of its bytes from `offset`. */
export function readPiece(path: string, offset: number, length: number): string {
  return script(path, [
    // Where there is nothing, opening it says why.
    `[ -e "$f" ] || { true < "$f"; exit ${missing}; }`,
    `[ ! -d "$f" ] || exit ${directory}`,
    `[ -f "$f" ] || exit ${irregular}`,
    'exec < "$f" || exit 1',
    ...framed('ls -Lind -- "$f" | base64', `tail -c +${offset + 1} | head -c ${length} | base64`),
  ])
}

/** One piece of a write; pieces come in order, and the last one moves the file into its place. */
export interface WrittenPiece {
  readonly path: string
  /** The name of the file that the content is staged in. */
  readonly staging: string
  readonly piece: Buffer
  readonly offset: number
  /** Bytes of the whole content. */
  readonly size: number
}

/** A script that appends a piece to the staged file, and with the last one puts it in place. */
export function writePiece({ path, staging, piece, offset, size }: WrittenPiece): string {
  const isFirst = offset === 0
  const isLast = offset + piece.length === size
  return script(path, [
    ...locateStaging(staging),
    ...(isFirst ? beginStaging() : []),
    decoded(piece, `${isFirst ? '>' : '>>'} "$t" || { rm -f -- "$t"; exit 1; }`),
    ...(isLast ? endStaging(size) : []),
  ])
}

/** Removes what a failed write has staged. */
export function discard(path: string, staging: string): string {
  return script(path, [...locateStaging(staging), 'rm -f -- "$t"'])
}

/** A name for staging that nobody else uses. */
export function stagingName(): string {
  return `.strands-${randomBytes(12).toString('hex')}`
}

/** A script that removes a file or a link. */
export function removeFile(path: string): string {
  return script(path, [
    `[ -e "$f" ] || [ -L "$f" ] || { true < "$f"; exit ${missing}; }`,
    `[ ! -d "$f" ] || [ -L "$f" ] || exit ${directory}`,
    'rm -f -- "$f"',
  ])
}

/** Prints each name of a directory and a NUL, directories with a `/` at the end. */
export function listFiles(path: string): string {
  const entry = 'if [ -d "$n" ] && [ ! -L "$n" ]; then printf "%s/\\0" "$n"; else printf "%s\\0" "$n"; fi'
  const each = `for n in .[!.]* ..?* *; do if [ -e "$n" ] || [ -L "$n" ]; then ${entry}; fi; done`
  return script(path, [
    `[ -e "$f" ] || { true < "$f"; exit ${missing}; }`,
    `[ -d "$f" ] || exit ${notDirectory}`,
    // Without permission to read, a glob finds nothing; `ls` says so.
    '[ -r "$f" ] || { ls -- "$f" > /dev/null; exit 1; }',
    'CDPATH= cd -- "$f" > /dev/null || exit 1',
    ...framed(`{ ${each}; } | base64`),
  ])
}

/** Follows a link and sets `t` to a name beside the file. */
function locateStaging(staging: string): string[] {
  return [
    `case "$f" in */) exit ${directory};; esac`,
    `if [ -L "$f" ]; then f=$(readlink -f -- "$f" && echo .) || exit 1; f=\${f%??}; fi`,
    `t=\${f%/*}/${staging}`,
  ]
}

/** Makes the directories and a staging file that has the permissions of the one it is to replace. */
function beginStaging(): string[] {
  return [
    `[ ! -d "$f" ] || exit ${directory}`,
    `[ ! -e "$f" ] || [ -f "$f" ] || exit ${irregular}`,
    `[ ! -e "$f" ] || [ -w "$f" ] || exit ${readonly}`,
    `mkdir -p -- "\${f%/*}/" || { [ ! -e "\${f%/*}" ] || [ -d "\${f%/*}" ] || exit ${notDirectory}; exit 1; }`,
    'if [ -e "$f" ]; then cp --attributes-only -p -- "$f" "$t" || cp -p -- "$f" "$t" || rm -f -- "$t"; fi 2> /dev/null',
  ]
}

function endStaging(size: number): string[] {
  return [
    `if [ $(($(wc -c < "$t"))) -ne ${size} ]; then rm -f -- "$t"; exit ${incomplete}; fi`,
    'mv -f -- "$t" "$f" || { rm -f -- "$t"; exit 1; }',
  ]
}

function framed(first: string, second?: string): string[] {
  return [
    `echo "${FRAMES.begin}"`,
    first,
    ...(second === undefined ? [] : [`echo "${FRAMES.next}"`, second]),
    `echo "${FRAMES.end}"`,
  ]
}

/** Bytes in a here-document, decoded to where `rest` sends them. */
function decoded(bytes: Buffer, rest: string): string {
  const lines = bytes.toString('base64').replaceAll(new RegExp(`.{${LINE_LENGTH}}`, 'g'), '$&\n')
  return `base64 -d << 'EOF' ${rest}\n${lines}${lines === '' || lines.endsWith('\n') ? '' : '\n'}EOF`
}
