import type { MissingNames } from '../engine-commands.ts'

/** The programs that bash has in every `BashSandbox`. */
export const BASH_COMMANDS: readonly string[] =
  'awk base64 basename bash bc cat chmod clear cmp column comm cp csplit cut date dd df diff dirname du env envsubst expand expr factor file find fmt fold grep egrep fgrep gunzip gzip head hexdump hostname id install join jq less ln ls md5sum mkdir mktemp more mv nice nl nohup nproc numfmt od paste patch printenv readlink realpath rev rg rm rmdir sed seq sh sha1sum sha256sum shuf sleep sort split sqlite3 stat stdbuf strings tac tail tar tee time timeout touch tr tree truncate uname unexpand uniq uptime wc which whoami xan xargs xxd yes yq zcat'.split(
    ' ',
  )

/** What is part of bash itself. */
export const BASH_BUILTINS: readonly string[] =
  '. : alias break cd command continue declare echo eval exec exit export false getopts jobs kill let local mapfile popd pushd read readarray readonly return set shift shopt source test trap true type typeset umask unalias unset wait case for function if until while'.split(
    ' ',
  )

/** Those that `python: true` adds. */
export const PYTHON_COMMANDS: readonly string[] = ['python', 'python3']

/** Those that a sandbox with `allowedUrls` has, too. */
export const NETWORK_COMMANDS: readonly string[] = ['curl']

/** Commands that agents try and a `BashSandbox` never has. */
export const MISSING_IN_BASH: readonly MissingNames[] = [
  missing('perl ruby php lua node deno bun ts-node tsx js-exec', 'awk, jq, sed or bash itself'),
  missing(
    'pip pip3 npm npx yarn pnpm apt apt-get apk yum dnf brew cargo go make cmake gcc cc g++ rustc java javac',
    'nothing can be installed or compiled here: do it outside the sandbox',
  ),
  missing('git gh svn hg', 'there is no version control here: diff compares files, tar keeps a copy'),
  missing(
    'docker kubectl systemctl service sudo su ssh scp rsync ping',
    'there are no other machines, containers, services or users here',
  ),
  missing('zsh dash ksh fish', 'this is bash: run the commands themselves, or a script with bash FILE'),
  missing('vi vim nano ed emacs', 'sed, or the tool that edits files'),
  missing('zip unzip xz bzip2 7z', 'tar and gzip'),
  missing('ag ack', 'rg, or grep -rn'),
  missing('fd locate', 'find'),
  missing('ps top fg bg', 'there are no processes beside the command: one runs at a time'),
  missing('getopt', 'getopts, or a loop over "$@"'),
  missing('parallel', 'xargs, or a loop'),
  missing('wget http httpie', 'curl, where the sandbox has a network'),
]

function missing(names: string, instead: string): MissingNames {
  return { names: names.split(' '), instead }
}
