import { describe, expect, it } from 'vitest'
import { ssh } from '../../src/posix/index.ts'
import { refusalOf } from '../sandbox/refusal.ts'
import { recordingClient } from './support/recorder.ts'
import { result } from './support/result.ts'

/** What sshd does: a login shell gets the words after the host, joined. */
const asServer = 'while [ "$1" != -- ]; do shift; done; shift 2; exec sh -c "$*"'
const refused = (options: unknown) => refusalOf(() => Reflect.apply(ssh, undefined, [options]))

describe('ssh', () => {
  it('asks nothing, forwards nothing, refuses changed host keys and notices dead connections', async () => {
    const recorded = await recordingClient('ssh', asServer)
    expect(await ssh({ host: 'example' }).execute(`echo "it's $#"`)).toEqual(result({ stdout: "it's 0\n" }))
    const words = recorded()
    expect(words.slice(0, words.indexOf('--') + 2).join(' ')).toBe(
      '-T -a -x -o BatchMode=yes -o ClearAllForwardings=yes -o ConnectTimeout=10 -o ServerAliveCountMax=3 -o ServerAliveInterval=15 -o StrictHostKeyChecking=accept-new -- example',
    )
  })

  it('gives user, port, key and options as words of their own', async () => {
    const recorded = await recordingClient('ssh', asServer)
    const options = {
      StrictHostKeyChecking: 'yes',
      ConnectTimeout: 3,
      UserKnownHostsFile: '~/known-%h',
      ProxyJump: 'me@jump.example:22,[::1]:2222',
      ControlMaster: 'auto',
      ControlPath: '~/.ssh/%C',
      ControlPersist: '10m',
      LogLevel: 'ERROR',
    }
    await ssh({ host: '::1', user: 'me', port: 2222, identityFile: '/keys/a b%', options }).execute(':')
    const words = recorded()
    expect(words.slice(7, words.indexOf('--') + 2)).toEqual([
      ...[
        '-o',
        'ConnectTimeout=3',
        '-o',
        'ControlMaster=auto',
        '-o',
        'ControlPath=~/.ssh/%C',
        '-o',
        'ControlPersist=10m',
      ],
      ...[
        '-o',
        'LogLevel=ERROR',
        '-o',
        'ProxyJump=me@jump.example:22,[::1]:2222',
        '-o',
        'ServerAliveCountMax=3',
      ],
      ...[
        '-o',
        'ServerAliveInterval=15',
        '-o',
        'StrictHostKeyChecking=yes',
        '-o',
        'UserKnownHostsFile=~/known-%h',
      ],
      ...['-p', '2222', '-i', '/keys/a b%%', '-l', 'me', '--', '::1'],
    ])
  })

  it('takes a key relative to the working directory or the home', async () => {
    const recorded = await recordingClient('ssh', asServer)
    await ssh({ host: 'a', identityFile: '-key' }).execute(':')
    expect(recorded()).toContain(`${process.cwd()}/-key`)
    await ssh({ host: 'a', identityFile: '~/key' }).execute(':')
    expect(recorded()).toContain('~/key')
  })

  it.each([
    '',
    '-oProxyCommand=id',
    'a b',
    'a\n',
    'a;id',
    '$(id)',
    'me@host',
    'ssh://a',
    '%h',
    'a/b',
    'é',
    null,
    undefined,
    7,
  ])('the host %j is refused', (host) => {
    expect(refused({ host }).field).toBe('host')
  })

  it.each(['', '-l', 'a b', 'a\n', 'a;id', '`id`', '$USER', 7, null])('the user %j is refused', (user) => {
    expect(refused({ host: 'a', user }).field).toBe('user')
  })

  it.each([
    ['port', { port: 0 }],
    ['port', { port: '22' }],
    ['port', { port: 65_536 }],
    ['identityFile', { identityFile: '' }],
    ['identityFile', { identityFile: '$'.concat('{HOME}/key') }],
    ['identityFile', { identityFile: 'a\0b' }],
    ['proxyCommand', { proxyCommand: 'id' }],
    ['command', { command: ['id'] }],
    ['options', { options: [] }],
    ['options', { options: 'a' }],
  ])('%s that is none is refused: %j', (field, options) => {
    expect(refused({ host: 'a', ...options }).field).toBe(field)
  })

  it.each([
    ...[
      'ProxyCommand',
      'LocalCommand',
      'PermitLocalCommand',
      'KnownHostsCommand',
      'Match',
      'Include',
      'RemoteCommand',
    ],
    ...[
      'SendEnv',
      'SetEnv',
      'ForwardAgent',
      'LocalForward',
      'DynamicForward',
      'Tunnel',
      'PKCS11Provider',
      'IdentityAgent',
    ],
    ...[
      'SecurityKeyProvider',
      'XAuthLocation',
      'CanonicalDomains',
      'proxycommand',
      '__proto__',
      'constructor',
      'toString',
    ],
  ])('the option %s is refused', (name) => {
    const options = JSON.parse(`{ ${JSON.stringify(name)}: "yes" }`) as unknown
    expect(refused({ host: 'a', options }).field).toBe(`options.${name}`)
  })

  it.each([
    ['StrictHostKeyChecking', 'no'],
    ['StrictHostKeyChecking', 'off'],
    ['StrictHostKeyChecking', 'yes\n'],
    ['ConnectTimeout', '1 -oProxyCommand=id'],
    ['ConnectTimeout', -1],
    ['ConnectTimeout', Number.NaN],
    ['ConnectTimeout', true],
    ['UserKnownHostsFile', '/dev/null /x'],
    ['UserKnownHostsFile', '"/x"'],
    ['UserKnownHostsFile', '|/bin/id'],
    ['ControlPath', '$'.concat('{HOME}/x')],
    ['ProxyJump', '-oProxyCommand=id'],
    ['ProxyJump', 'a b'],
    ['ProxyJump', 'a;id'],
    ['ProxyJump', 'a,-x'],
    ['ProxyJump', '$(id)@a'],
    ['HostKeyAlias', '-x'],
    ['BindAddress', 'a b'],
    ['LogLevel', 'debug'],
    ['Ciphers', 'a b'],
  ])('the option %s is refused with the value %j', (name, value) => {
    expect(refused({ host: 'a', options: { [name]: value } }).field).toBe(`options.${name}`)
  })
})
