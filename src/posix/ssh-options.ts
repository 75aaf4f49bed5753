import { refuse } from '../sandbox/arguments.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import { showValue } from '../sandbox/show-value.ts'

/** What an option's value must match, and that in words. */
interface ValueRule {
  readonly pattern: RegExp
  readonly expected: string
}

const whole: ValueRule = { pattern: /^\d{1,6}$/, expected: 'a whole number' }
const yesOrNo = oneOf('yes', 'no')
/** `ssh` itself expands `~` and `%` in some paths; quotes, blanks and `$` would need its own quoting. */
const path: ValueRule = {
  pattern: /^[\w./~%@:+,=][\w./~%@:+,=-]*$/,
  expected: 'a path without blanks or quotes',
}
const host = String.raw`(?:[\w:%.][\w:%.-]*|\[[\w:%.]+\])`
const hop = String.raw`(?:[\w.+][\w.+-]*@)?(?:[\w.][\w.-]*|\[[\w:%.]+\])(?::\d{1,5})?`
const algorithms: ValueRule = { pattern: /^[+^-]?[\w.*@-]+(,[\w.*@-]+)*$/, expected: 'a list of algorithms' }

/**
 * The options of `ssh` that may be set, with what their values may be. None of them runs a program, forwards anything, or
 * disables the check of host keys.
 */
const rules = {
  AddressFamily: oneOf('any', 'inet', 'inet6'),
  BindAddress: { pattern: new RegExp(`^${host}$`), expected: 'an address' },
  Ciphers: algorithms,
  Compression: yesOrNo,
  ConnectionAttempts: whole,
  ConnectTimeout: whole,
  ControlMaster: oneOf('yes', 'no', 'auto'),
  ControlPath: path,
  ControlPersist: { pattern: /^(yes|no|\d{1,6}[smhdw]?)$/, expected: "'yes', 'no' or a time such as '10m'" },
  GlobalKnownHostsFile: path,
  HostKeyAlgorithms: algorithms,
  HostKeyAlias: { pattern: new RegExp(`^${host}$`), expected: 'a host name' },
  IdentitiesOnly: yesOrNo,
  KexAlgorithms: algorithms,
  LogLevel: oneOf('QUIET', 'FATAL', 'ERROR', 'INFO', 'VERBOSE', 'DEBUG', 'DEBUG1', 'DEBUG2', 'DEBUG3'),
  MACs: algorithms,
  ProxyJump: { pattern: new RegExp(`^${hop}(,${hop})*$`), expected: 'a list of [user@]host[:port]' },
  ServerAliveCountMax: whole,
  ServerAliveInterval: whole,
  StrictHostKeyChecking: oneOf('yes', 'accept-new'),
  TCPKeepAlive: yesOrNo,
  UserKnownHostsFile: path,
} as const satisfies Readonly<Record<string, ValueRule>>

/** Options of `ssh`, by the names of `ssh_config(5)`. Others are refused. */
export type SshClientOptions = { readonly [Name in keyof typeof rules]?: string | number | undefined }

/** What is set where the user sets nothing else: never a prompt, and a dead connection is noticed within a minute. */
const defaults: SshClientOptions = {
  StrictHostKeyChecking: 'accept-new',
  ConnectTimeout: 10,
  ServerAliveInterval: 15,
  ServerAliveCountMax: 3,
}

/** The words that set these options. @throws SandboxConfigError naming the option */
export function sshOptionWords(options: unknown = {}): readonly string[] {
  const names = Object.keys(rules) as (keyof typeof rules)[]
  const given = optionsOf<SshClientOptions>(options, names, 'options')
  return names.flatMap((name) => {
    const value = given[name] ?? defaults[name]
    return value === undefined ? [] : ['-o', `${name}=${checked(name, value)}`]
  })
}

function checked(name: keyof typeof rules, value: unknown): string {
  const { pattern, expected } = rules[name]
  if ((typeof value === 'string' || typeof value === 'number') && pattern.test(String(value)))
    return String(value)
  throw refuse(`options.${name}`, `must be ${expected}, but is ${showValue(value)}.`)
}

function oneOf(...values: readonly string[]): ValueRule {
  const quoted = values.map((value) => `'${value}'`)
  return { pattern: new RegExp(`^(${values.join('|')})$`), expected: quoted.join(' or ') }
}
