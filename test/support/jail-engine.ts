import { expect } from 'vitest'
import type { BindConfig } from '../../src/index.ts'
import { type JailBindConfig, type JailConfig, JailSandbox } from '../../src/jail/index.ts'
import { bashEngine } from './bash-engine.ts'
import type { Engine, EngineConfig } from './engines.ts'

/** The config of a jail: what it does not have is left out. */
function configOf({ limits, binds, configFile, shell: _, ...config }: EngineConfig = {}): JailConfig {
  const { isolation, onInterrupt, onLost, checkpoint: _checkpoint, network: _network, ...rest } = config
  if (configFile !== undefined) throw new Error('A jail has no configFile: a suite must not ask for it.')
  if (isolation === 'process') throw new Error('A jail has no cells: a suite must not ask for them.')
  if (onInterrupt === 'restore' || onLost === 'restore')
    throw new Error('A jail has no checkpoints: a suite must not ask for them.')
  const { maxOutput, maxFileSize } = limits ?? {}
  return {
    ...rest,
    isolation,
    onInterrupt,
    onLost,
    binds: binds?.map(bindOf),
    limits: { maxOutput, maxFileSize },
  }
}

function bindOf({ mode, ...bind }: BindConfig): JailBindConfig {
  if (mode === 'passthrough') throw new Error(`A jail has no bind of mode '${mode}'.`)
  return { ...bind, mode: mode === 'copy' && bind.readonly !== true ? 'overlay' : 'direct' }
}

/** The machine's own bash. */
export const jailEngine: Engine = {
  ...bashEngine,
  name: 'jail',
  levels: ['worker', 'shared'],
  create: (config, options) => new JailSandbox(configOf(config), options),
  openStatic: (config, options) => JailSandbox.open(configOf(config), options),
  capabilities: {
    ...bashEngine.capabilities,
    protectedPaths: { write: '/usr/file', remove: '/usr/bin/env' },
    ofMachine: true,
    manyLines: true,
    fatalCommand: 'kill -9 -1; sleep 5',
    deadlineIgnored: undefined,
  },
  fresh: {
    home: '/home/user',
    environment: [
      'HOME=/home/user',
      'LANG=C.UTF-8',
      'LOGNAME=user',
      'PATH=/usr/local/bin:/usr/bin:/bin',
      'PWD=/home/user',
      'SHELL=/bin/bash',
      'SHLVL=1',
      'USER=user',
      '_=/usr/bin/env',
    ],
  },
  messages: {
    ...bashEngine.messages,
    notFound: (command) => `bash: line 1: ${command}: command not found\n`,
    notSet: (variable) => `bash: line 1: ${variable}: unbound variable\n`,
    openQuote: "bash: -c: line 1: unexpected EOF while looking for matching `''\n",
    openHereDocument: (word) =>
      `bash: line 2: warning: here-document at line 1 delimited by end-of-file (wanted \`${word}')\n`,
    inputTooLarge: undefined,
    strayBracket: "bash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo a)'\n",
  },
  network: {
    noNetwork: (host) => ({
      exitCode: 7,
      stderr: expect.stringContaining(`curl: (7) Failed to connect to ${host} port 80 `),
    }),
    // The answer of the proxy: `curl` takes it for that of the server, and fails with `-f` only.
    denied: () => ({
      stdout: 'egress refused: The allowlist of this sandbox does not name this address. (NOT_ALLOWED)\n',
    }),
  },
  language: { ...bashEngine.language, staged: false },
}
