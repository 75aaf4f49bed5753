import { type BashBindConfig, type BashConfig, BashSandbox, type BindConfig } from '../../src/bash/index.ts'
import type { Engine, EngineConfig, EngineLanguage } from './engines.ts'

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** `bash -c`: a shell of its own, which gets exported variables alone. */
const bash: EngineLanguage = {
  name: 'bash',
  staged: false,
  print: (text) => `printf %s ${quote(text)}`,
  printError: (text) => `printf %s ${quote(text)} >&2`,
  printTimes: (text, times) => `for ((i = 0; i < ${times}; i++)); do printf %s ${quote(text)}; done`,
  printFile: (path) => `cat ${quote(path)}`,
  printVariable: (name) => `printf %s "$${name}"`,
  writeFile: (path, text) => `printf %s ${quote(text)} > ${quote(path)}`,
  shell: (command) => `bash -c ${quote(command)}`,
  exit: (code) => `exit ${code}`,
  comment: (text) => `#${text}`,
  endless: 'while :; do :; done',
  failing: '(exit 1)',
  unparsable: { code: 'if if if', exitCode: 2 },
}

/** The config of a bash sandbox: limits that it does not have are left out. */
function configOf({ limits, binds, configFile, shell: _, ...config }: EngineConfig = {}): BashConfig {
  if (configFile !== undefined)
    throw new Error('The bash engine has no configFile: a suite must not ask for it.')
  const { maxOutput, maxFileSize } = limits ?? {}
  return { ...config, binds: binds?.map(bindOf), limits: { maxOutput, maxFileSize } }
}

function bindOf({ mode, ...bind }: BindConfig): BashBindConfig {
  if (mode === 'passthrough') throw new Error(`The bash engine has no bind of mode '${mode}'.`)
  return { ...bind, mode }
}

/** just-bash. */
export const bashEngine: Engine = {
  name: 'bash',
  level: 'shared',
  create: (config, options) => new BashSandbox(configOf(config), options),
  openStatic: (config, options) => BashSandbox.open(configOf(config), options),
  capabilities: {
    protectedPaths: undefined,
    maxInodes: false,
    umask: true,
    mirrors: false,
    stopsAtOnce: true,
    streaming: true,
    aliases: 'shopt -s expand_aliases',
    ofMachine: false,
    manyLines: false,
    fatalCommand: undefined,
    deadlineIgnored: `expr ${'a'.repeat(60)} : '\\(a*\\)*b'`,
  },
  fresh: {
    home: '/home/user',
    environment: [
      'HOME=/home/user',
      'LOGNAME=user',
      'OLDPWD=/home/user',
      'PATH=/usr/bin:/bin',
      'PWD=/home/user',
      'SHELL=/bin/bash',
      'SHLVL=1',
      'USER=user',
    ],
  },
  messages: {
    deadline: (seconds) => `bash: stopped after ${seconds} s\n`,
    notFound: (command) => `bash: ${command}: command not found\n`,
    notSet: (variable) => `bash: ${variable}: unbound variable\n`,
    openQuote: "bash: line 1: unexpected EOF while looking for matching `''\n",
    strayBracket: "bash: line 1: syntax error near unexpected token `)'\n",
    openHereDocument: () => '',
    inputTooLarge: (bytes) => ({
      exitCode: 2,
      stderr: `bash: line 1: Input too large: ${bytes} bytes exceeds limit of 1000000\n`,
    }),
  },
  network: {
    noNetwork: () => ({ exitCode: 127, stderr: 'bash: curl: command not found\n' }),
    denied: ({ href }) => ({
      exitCode: 7,
      stderr: `curl: (7) access denied: the allowlist of this sandbox does not name ${href}\n`,
    }),
  },
  maxOutput: 10 * 2 ** 20,
  syntaxError: 2,
  language: bash,
}
