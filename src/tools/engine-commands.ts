/** The programs that the engine of a `StrandsShellSandbox` has. */
export const ENGINE_COMMANDS: readonly string[] =
  'basename cat chmod cp curl cut date dirname echo env false find grep head jq ln ls lua mkdir mktemp mv printf pwd readlink rm rmdir sed sh sleep sort tail tee test touch tr true uniq wc xargs'.split(
    ' ',
  )

/** The programs that the runtime adds to them. `command -v` does not tell of these. */
export const RUNTIME_COMMANDS: readonly string[] =
  'comm expr hostname id nl paste printenv rev seq stat tac tree uname which whoami'.split(' ')

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
  missing('egrep', 'grep -E'),
  missing('fgrep', 'grep -F'),
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
  { names: ['grep -P', 'grep -s', 'grep -a', 'grep -I', 'grep --color'], instead: 'grep -E, 2>/dev/null' },
  { names: ['head -c', 'tail -c'], instead: 'head -n 5, tail -n 5' },
  { names: ['ls -t', 'ls -d', 'ls -A', 'ls -h'], instead: 'ls -la' },
  { names: ['cp -a', 'cp -p', 'cp -f', 'mv -f', 'ln -sf'], instead: 'cp -r; rm first' },
  { names: ['readlink -f'], instead: 'cd DIR && pwd' },
  { names: ['chmod -R'], instead: 'find DIR -exec chmod MODE {} \\;' },
  { names: ['find -delete', 'find -size', 'find -mtime'], instead: 'find … -exec rm {} \\;' },
  { names: ['sort -h', 'sort -o', 'sort -V'], instead: 'sort > FILE' },
  { names: ['jq --arg'], instead: 'the value written into the filter' },
]

const byName = new Map(MISSING_COMMANDS.flatMap(({ names, instead }) => names.map((name) => [name, instead])))

/** What the engine has instead of a command that it lacks; undefined for names that are not known. */
export function insteadOf(command: string): string | undefined {
  return byName.get(command)
}

function missing(names: string, instead: string): MissingNames {
  return { names: names.split(' '), instead }
}
