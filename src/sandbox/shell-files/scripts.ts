import { shellQuote } from '../quoting.ts'
import { FILE_EXITS } from './failure.ts'

const { failed, missing, directory, irregular, readonly, notDirectory, taken, within, same } = FILE_EXITS

/** What is added to an exit code where the second of two paths is at fault. */
export const AT_TARGET = 10

/** Sets `f` to the path, so that no command takes it for an option, and runs the steps with messages in English. */
export function script(path: string, steps: readonly string[]): string {
  return ['LC_ALL=C; export LC_ALL', `f=${shellQuote(explicitPath(path))}`, ...steps].join('\n')
}

/** Exits where there is nothing at `$f`: opening it says why. */
const requireThere = `[ -e "$f" ] || [ -L "$f" ] || { ls -d -- "$f" > /dev/null; exit ${missing}; }`

/** Prints kind, permission bits in octal, size, and time of the last write in seconds: with GNU's and busybox's `stat`, or BSD's. */
export function stat(path: string): string {
  return script(path, [
    requireThere,
    'if [ -L "$f" ]; then k=link; elif [ -d "$f" ]; then k=directory; elif [ -f "$f" ]; then k=file; else k=other; fi',
    's=$(stat -c "%a %s %.9Y" -- "$f" 2> /dev/null) || s=$(stat -f "%Mp%Lp %z %Fm" -- "$f") || exit 1',
    'echo "$k $s"',
  ])
}

export function exists(path: string): string {
  return script(path, [requireThere])
}

export function makeDirectory(path: string): string {
  return script(path, ['mkdir -p -- "$f" || exit 1'])
}

/** Removes what is there, with all that is in it. */
export function removeTree(path: string): string {
  return script(path, [requireThere, 'rm -rf -- "$f" || exit 1'])
}

export function move(from: string, to: string): string {
  return placed(from, to, [`mv -f -- "$f" "$t" || exit ${failed + AT_TARGET}`])
}

/** Links are copied as links. What is neither a file nor a directory is refused: reading a pipe may never end. */
export function copy(from: string, to: string): string {
  return placed(from, to, [
    'if [ -L "$f" ]; then cp -fP -- "$f" "$t"',
    'elif [ -d "$f" ]; then cp -RP -- "$f" "$t"',
    `elif [ -f "$f" ]; then cp -- "$f" "$t"`,
    `else exit ${irregular}; fi || exit ${failed + AT_TARGET}`,
  ])
}

/** Makes sure that a file can be appended to, and makes the directories that lead to it. */
export function beginAppend(path: string): string {
  return script(path, [
    `case "$f" in */) exit ${directory};; esac`,
    `[ ! -d "$f" ] || exit ${directory}`,
    `[ ! -e "$f" ] || [ -f "$f" ] || exit ${irregular}`,
    `[ ! -e "$f" ] || [ -w "$f" ] || exit ${readonly}`,
    ...makeParents('f', 0),
  ])
}

/** Appends what is staged in another file, and removes that one. */
export function endAppend(path: string, staged: string): string {
  return script(path, [
    `s=${shellQuote(explicitPath(staged))}`,
    'cat < "$s" >> "$f"; c=$?',
    'rm -f -- "$s"',
    'exit $c',
  ])
}

/** Gives files the permission to be executed. */
export function makeExecutable(paths: readonly string[]) {
  const words = paths.map((path) => shellQuote(explicitPath(path)))
  return { command: `chmod +x ${words.join(' ')}`, env: { LC_ALL: 'C' } }
}

/** Checks both paths, makes the directories that lead to `$t`, and puts `$f` there. */
function placed(from: string, to: string, steps: readonly string[]): string {
  const isDirectory = '[ -d "$f" ] && [ ! -L "$f" ]'
  return script(from, [
    `t=${shellQuote(explicitPath(to))}`,
    requireThere,
    `[ ! -d "$t" ] || exit ${directory + AT_TARGET}`,
    `if ${isDirectory} && { [ -e "$t" ] || [ -L "$t" ]; }; then exit ${taken + AT_TARGET}; fi`,
    `if [ "$f" -ef "$t" ]; then exit ${same + AT_TARGET}; fi`,
    ...makeParents('t', AT_TARGET),
    `if ${isDirectory}; then case "$(cd -- "\${t%/*}/" && pwd -P)/" in "$(cd -- "$f" && pwd -P)"/*) exit ${within + AT_TARGET};; esac; fi`,
    ...steps,
  ])
}

function makeParents(name: 'f' | 't', offset: number): string[] {
  const parent = `"\${${name}%/*}"`
  const blocked = `[ ! -e ${parent} ] || [ -d ${parent} ] || exit ${notDirectory + offset}`
  return [`mkdir -p -- "\${${name}%/*}/" || { ${blocked}; exit ${failed + offset}; }`]
}

/** A relative path is made plainly so. */
function explicitPath(path: string): string {
  return path.startsWith('/') ? path : `./${path}`
}
