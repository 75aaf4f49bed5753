/** The programs of Strands Shell, and names that its runtime gives a meaning: no function in the text makes one of them harmless. */
export const STRANDS_PROGRAMS: ReadonlySet<string> = new Set(
  `basename cat chmod comm cp curl cut date dirname echo egrep env expr false fgrep find grep head hostname id jq ln ls lua
  mkdir mktemp mv nl paste printenv printf pwd readlink rev rm rmdir sed seq sh sleep sort stat tac tail tee test touch tr
  tree true uname uniq wc which whoami xargs
  bash dash timeout [ . source alias builtin command eval exec trap read`.split(/\s+/),
)
