import { UNFINISHED_MESSAGE } from '../../src/contract/syntax-message.ts'
import { StrandsShellSandbox } from '../../src/index.ts'
import type { Engine, EngineLanguage } from './engines.ts'

const lua: EngineLanguage = {
  name: 'lua',
  staged: true,
  print: (text) => `io.write([==[${text}]==])`,
  printError: (text) => `io.stderr:write([==[${text}]==])`,
  printTimes: (text, times) => `io.write(([==[${text}]==]):rep(${times}))`,
  printFile: (path) => `io.write(io.open("${path}"):read("a"))`,
  printVariable: (name) => `io.write(os.getenv("${name}"))`,
  writeFile: (path, text) => `do local f = io.open("${path}", "w") f:write([==[${text}]==]) f:close() end`,
  shell: (command) => `os.execute([==[${command}]==])`,
  exit: (code) => `os.exit(${code})`,
  comment: (text) => `--${text}`,
  endless: 'while true do end',
  failing: 'error("no")',
  unparsable: { code: 'if if if', exitCode: 1 },
}

/** Strands Shell, the native engine. */
export const strands: Engine = {
  name: 'strands',
  level: 'worker',
  create: (config, options) => new StrandsShellSandbox(config, options),
  openStatic: (config, options) => StrandsShellSandbox.open(config, options),
  capabilities: {
    protectedPaths: { write: '/etc/passwd', remove: '/dev/null' },
    maxInodes: true,
    umask: true,
    mirrors: true,
    stopsAtOnce: false,
    streaming: false,
    aliases: ':',
    ofMachine: false,
    manyLines: true,
    fatalCommand: 'find /tmp -maxdepth 0 -exec [ a = ] \\;',
    deadlineIgnored: 'cat /dev/zero >/dev/null',
  },
  fresh: {
    home: '/home/lash',
    environment: ['HOME=/home/lash', 'PATH=/usr/bin:/bin', 'PWD=/home/lash', 'USER=lash'],
  },
  messages: {
    deadline: () => 'strands-shell: execution timeout exceeded\n',
    notFound: (command) => `strands-shell: ${command}: command not found\n`,
    notSet: (variable) => `strands-shell: ${variable}: parameter not set\n`,
    openQuote: `strands-shell: ${UNFINISHED_MESSAGE}unterminated single quote\n`,
    strayBracket: "strands-shell: syntax error: unexpected token ')'\n",
    openHereDocument: () => '',
    inputTooLarge: () => ({ exitCode: 1, stderr: 'strands-shell: input too large\n' }),
  },
  network: {
    noNetwork: (host) => ({ exitCode: 1, stderr: `curl: access denied: ${host}\n` }),
    denied: ({ hostname }) => ({ exitCode: 1, stderr: `curl: access denied: ${hostname}\n` }),
  },
  maxOutput: 2 ** 20,
  syntaxError: 2,
  language: lua,
}
