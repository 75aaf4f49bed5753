/** The programs that the engine of a `StrandsShellSandbox` has. */
export const ENGINE_COMMANDS: readonly string[] =
  'basename cat chmod cp curl cut date dirname echo env false find grep head jq ln ls lua mkdir mktemp mv printf pwd readlink rm rmdir sed sh sleep sort tail tee test touch tr true uniq wc xargs'.split(
    ' ',
  )

/** The programs that the runtime adds to them. `command -v` does not tell of these. */
export const RUNTIME_COMMANDS: readonly string[] =
  'comm egrep expr fgrep hostname id nl paste printenv rev seq stat tac tree uname which whoami'.split(' ')

/** What is part of its shell. */
export const ENGINE_BUILTINS: readonly string[] =
  '. : alias break case cd command continue eval exec exit export for if local read readonly return set shift trap type umask unalias unset until wait while'.split(
    ' ',
  )

/** Names that are not there, and what is instead. */
export interface MissingNames {
  /** The names, or commands with flags, as a user would type them. */
  readonly names: readonly string[]
  /** What to write in their place. */
  readonly instead: string
}

/** Commands that agents try and Strands Shell does not have. */
export const MISSING_COMMANDS: readonly MissingNames[] = [
  missing(
    'python python2 python3 perl ruby php node deno bun ts-node tsx',
    'write the program in lua (lua FILE.lua), or use jq for JSON',
  ),
  missing(
    'pip pip3 npm npx yarn pnpm apt apt-get apk yum dnf brew cargo go make cmake gcc cc g++ rustc java javac',
    'nothing can be installed or compiled here: do it outside the sandbox',
  ),
  missing('git gh svn hg', 'there is no version control here: do it outside the sandbox'),
  missing(
    'docker kubectl systemctl service sudo su ssh scp rsync',
    'there are no other machines, containers, services or users here',
  ),
  missing('bash zsh dash ksh', 'this is the shell: run the commands themselves, or a script with bash FILE'),
  missing('awk gawk', 'cut, sed, or lua for anything that computes'),
  missing('bc', 'arithmetic: $((1 + 2)), or lua -e "print(1/3)"'),
  missing('rg ag ack', 'grep -rn'),
  missing('fd locate', 'find'),
  missing('whereis', 'command -v'),
  missing('file du df', 'ls -la, and wc -c for sizes'),
  missing('diff cmp patch', 'lua, or grep -v -x -F -f ONE OTHER for lines that only OTHER has'),
  missing('less more', 'sed -n 1,100p FILE'),
  missing('vi vim nano ed emacs', 'sed, or the tool that edits files'),
  missing('join column fold fmt expand unexpand shuf split csplit', 'lua, reading with io.lines()'),
  missing('wget http httpie', 'curl'),
  missing(
    'nc netcat telnet ping dig nslookup host ip ifconfig netstat ss lsof',
    'there is no network but curl',
  ),
  missing('tar gzip gunzip zip unzip bzip2 xz zstd', 'there are no archives here: do it outside the sandbox'),
  missing('base64 md5sum sha1sum sha256sum sha512sum shasum cksum openssl xxd od hexdump strings', 'lua'),
  missing('yes', 'a loop'),
  missing('time watch nohup', 'the time limit of the call'),
  missing(
    'kill killall pkill jobs ps top htop bg fg free uptime nproc',
    'background jobs end with their command; wait waits for them',
  ),
  missing('groups arch', 'there is one user (lash) and no system around it'),
  missing('realpath', 'readlink, or cd DIR && pwd'),
  missing('install', 'cp and chmod'),
  missing('truncate', ': > FILE'),
  missing('dd', 'head, tail or lua'),
  missing('sqlite3 psql mysql redis-cli', 'there are no databases here'),
  missing('yq xmllint', 'lua, or jq for JSON'),
  missing(
    'declare typeset let shopt mapfile readarray pushd popd dirs',
    'this is no bash: plain variables, $((…)), and . FILE',
  ),
]

/** Flags that are refused or do something else, and what to write instead. */
export const MISSING_FLAGS: readonly MissingNames[] = [
  flags('grep -z|grep -b', 'grep without it, or lua'),
  flags('head -c|tail -c', 'head -n, or lua: io.open(FILE):read(COUNT)'),
  flags('tail -f', 'tail -n: nothing runs beside a command'),
  flags('ls -t|ls -S|ls -r', 'ls -la, which tells times and sizes, and sort'),
  flags('cp -a|cp -p', 'cp -r'),
  flags('ln -f|ln -sf', 'rm -f NAME; ln -s TARGET NAME'),
  flags('readlink -f', '(cd DIR && pwd -P)'),
  flags('chmod -R', 'find DIR -exec chmod MODE {} \\;'),
  flags('find -delete', 'find … -exec rm {} \\;'),
  flags('find -size|find -mtime|find -mmin|find -newer', 'ls -la, which tells sizes and times, and lua'),
  flags('find -ls', 'find … -exec ls -la {} \\;, or find … -printf'),
  flags('sort -h|sort -V', 'sort -n, or sort -t. -k1,1n -k2,2n'),
  flags('env -i', 'env NAME=value COMMAND, or ( unset NAME; COMMAND )'),
  flags('env -u', '( unset NAME; COMMAND )'),
  flags('mkdir -m', 'mkdir, and chmod'),
  flags('touch -d|touch -t', 'touch without a time'),
  flags('rm -i', 'rm without it: nobody answers'),
]

const byName = new Map(MISSING_COMMANDS.flatMap(({ names, instead }) => names.map((name) => [name, instead])))

const byFlag = new Map(MISSING_FLAGS.flatMap(({ names, instead }) => names.map((name) => [name, instead])))

/** Programs that do not list their options. */
const WITHOUT_HELP: ReadonlySet<string> = new Set([...RUNTIME_COMMANDS, 'date', 'find', 'wc', 'xargs'])

/** A sentence on what to write instead of an option that a command does not know; undefined where there is none. */
export function insteadOfOption(command: string, option: string): string | undefined {
  const instead = byFlag.get(`${command} ${option}`)
  if (instead !== undefined) return `Instead: ${instead}.`
  return WITHOUT_HELP.has(command) ? undefined : `${command} --help lists its options.`
}

/** What the engine has instead of a command that it lacks; undefined for names that are not known. */
export function insteadOf(command: string): string | undefined {
  return byName.get(command)
}

function flags(names: string, instead: string): MissingNames {
  return { names: names.split('|'), instead }
}

function missing(names: string, instead: string): MissingNames {
  return { names: names.split(' '), instead }
}
