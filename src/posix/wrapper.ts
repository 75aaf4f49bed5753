import { randomBytes } from 'node:crypto'

/** Steps of the killer's clock in a second. */
const STEPS = 20

/**
 * What runs between the connection and the command, as the text of `sh -c`. It reads the command from standard input,
 * whole or not at all, so that no limit on arguments applies and nobody sees it in a list of processes; it runs the
 * command in another shell; and it says on both streams where the command's output begins and how it ended.
 *
 * A watcher beside it waits for standard input to end: that is how a caller stops the command, and what happens when
 * the caller or the connection dies. It then ends the process group, and on Linux the session too: SIGTERM, a grace, SIGKILL.
 *
 * `$0` is the shell, `$1` the token, `$2` the size in bytes of what it reads, `$3` the grace in steps, `$4` {@link RUNNER} or
 * {@link INPUT_RUNNER}, `$5` the size of what the latter gets besides the command. Single quotes, line breaks and `!` are left out: login shells that are not POSIX understand the text as well.
 */
const WRAPPER = [
  'exec 3<&0 4>&2 </dev/null 2>/dev/null;',
  's=$(head -c "$2" <&3);',
  'case $s in *"$1") ;; *) echo "The command did not arrive on standard input." >&4; exit 125 ;; esac;',
  // After the name in parentheses come the state, the parent, the group and the session: $2 to $5.
  'sweep() { n=0; for d in /proc/[0-9]*/stat; do',
  `read -r l <"$d" || continue; p=\${l%% *}; set -- "$1" \${l##*) };`,
  'case "$5 $p" in "$sid $self"|"$sid $$") continue ;; "$sid "*) ;; *) continue ;; esac;',
  '[ "$2" = Z ] && continue;',
  'n=1; [ "$4" = "$group" ] && [ "$1" = TERM ] || kill -s "$1" "$p"; done; };',
  'watch() { while read -r l; do :; done; trap "" USR1;',
  `group=; sid=; read -r l </proc/self/stat && self=\${l%% *} && set -- "$1" \${l##*) } && group=$4 && sid=$5;`,
  'kill -s TERM 0; sweep TERM; n=1; i=0;',
  'while [ "$n" = 1 ] && [ "$i" -lt "$1" ]; do [ -z "$sid" ] || sweep 0; i=$((i+1));',
  `[ "$n" = 0 ] || sleep 0.05 || { sleep 1; i=$((i+${STEPS - 1})); }; done;`,
  'sweep KILL; kill -s KILL 0; };',
  'echo "$1:begin"; echo "$1:begin" >&4;',
  '( trap "" HUP INT QUIT TERM; watch "$3" ) <&3 >/dev/null 4>&- & w=$!;',
  'trap : HUP INT QUIT TERM;',
  'printf %s "$s" | "$0" -c "$4" "$0" "$1" "$5" 2>&4 3<&- 4>&-; c=$?;',
  'kill -s USR1 "$w"; echo "$1:end $c"; echo "$1:end $c" >&4',
].join(' ')

/**
 * Reads the command from the wrapper and runs it, with nothing on its standard input. `$1` is the token that ends it: where
 * `printf` is a program, a long one does not get here.
 */
const RUNNER = [
  'set -- "$1" "$(cat)"; exec </dev/null;',
  'case $2 in *"$1") ;; *) echo "The command is too long for this shell." >&2; exit 125 ;; esac;',
  `set -- "\${2%"$1"}"; eval "shift;$1"`,
].join(' ')

/**
 * The same for a command with standard input, which comes before it in base64: `$2` is its size. Whatever shells do with
 * NUL bytes, they do not see them. The command runs at the end of a pipeline, so that it may leave its input unread.
 */
const INPUT_RUNNER = [
  'set -- "$1" "$2" "$(head -c "$2")" "$(cat)"; exec </dev/null;',
  'case $4 in *"$1") ;; *) echo "The command is too long for this shell." >&2; exit 125 ;; esac;',
  `[ "\${#3}" -eq "$2" ] || { echo "The standard input is too long for this shell." >&2; exit 125; };`,
  'command -v base64 >/dev/null || { echo "Standard input needs base64, which is not there." >&2; exit 125; };',
  `printf %s "$3" | base64 -d 2>/dev/null | { set -- "\${4%"$1"}"; eval "shift;$1"; }`,
].join(' ')

/** A command, wrapped. */
export interface WrappedCommand {
  /** What to run, without the prefix: no word is empty. */
  readonly argv: readonly string[]
  /** What standard input is to hold. It stays open for as long as the command is to run. */
  readonly input: string
  /** The first part of the marks around the command's output on both streams. */
  readonly token: string
}

/**
 * Wraps a command.
 *
 * @param grace - seconds between SIGTERM and SIGKILL
 * @param stdin - what the command reads; undefined for nothing
 */
export function wrap(command: string, shell: string, grace: number, stdin?: Uint8Array): WrappedCommand {
  const token = `strands-${randomBytes(16).toString('hex')}`
  const given = stdin === undefined ? '' : Buffer.from(stdin).toString('base64')
  const input = `${given}${command}\n${token}`
  const steps = Math.ceil(grace * STEPS)
  const runner = given === '' ? RUNNER : INPUT_RUNNER
  const sizes = [Buffer.byteLength(input), steps, runner, given.length]
  return { argv: [shell, '-c', WRAPPER, shell, token, ...sizes.map(String)], input, token }
}
