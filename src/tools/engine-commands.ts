/** The programs that the engine of a `StrandsShellSandbox` has. */
export const ENGINE_COMMANDS: readonly string[] =
  'basename cat chmod cp curl cut date dirname echo env false find grep head jq ln ls lua mkdir mktemp mv printf pwd readlink rm rmdir sed sh sleep sort tail tee test touch tr true uniq wc xargs'.split(
    ' ',
  )

/** The programs that the runtime adds to them. */
export const RUNTIME_COMMANDS: readonly string[] =
  'awk base64 bash cmp column comm dash diff egrep expr fgrep fold gunzip gzip hostname id md5sum nl od paste printenv realpath rev seq sha1sum sha256sum shuf split stat tac tar timeout tree uname which whoami xxd zcat'.split(
    ' ',
  )

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
  missing('zsh ksh', 'this is the shell: run the commands themselves, or a script with bash FILE'),
  missing('gawk mawk', 'awk'),
  missing('bc', 'arithmetic: $((1 + 2)), or lua -e "print(1/3)"'),
  missing('rg ag ack', 'grep -rn'),
  missing('fd locate', 'find'),
  missing('whereis', 'command -v'),
  missing('file du df', 'ls -la, and wc -c for sizes'),
  missing('patch', 'sed, lua, or the tool that edits files'),
  missing('less more', 'sed -n 1,100p FILE'),
  missing('vi vim nano ed emacs', 'sed, or the tool that edits files'),
  missing('join fmt expand unexpand csplit', 'lua, reading with io.lines()'),
  missing('wget http httpie', 'curl'),
  missing(
    'nc netcat telnet ping dig nslookup host ip ifconfig netstat ss lsof',
    'there is no network but curl',
  ),
  missing('zip unzip bzip2 xz zstd', 'tar and gzip'),
  missing('sha512sum shasum cksum openssl', 'sha256sum, sha1sum or md5sum'),
  missing('hexdump strings', 'xxd or od'),
  missing('yes', 'a loop'),
  missing('time watch nohup', 'the time limit of the call'),
  missing(
    'kill killall pkill jobs ps top htop bg fg free uptime nproc',
    'background jobs end with their command; wait waits for them',
  ),
  missing('groups arch', 'there is one user (lash) and no system around it'),
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
  flags('tar -j|tar -J|tar --zstd', 'tar -z'),
  flags('gzip -r', 'find … -exec gzip {} +'),
  flags('tail -f', 'tail -n: nothing runs beside a command'),
  flags('ls -t', 'ls -la, which tells times to the minute'),
  flags('find -ls', 'find … -exec ls -la {} \\;, or find … -printf'),
  flags('env -i', 'env NAME=value COMMAND, or ( unset NAME; COMMAND )'),
  flags('env -u', '( unset NAME; COMMAND )'),
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
