import { describe, expect, test } from 'vitest'
import { type EgressPolicy, EgressRules } from '../../src/network/rules.ts'
import { readHttpTarget, readTunnelTarget } from '../../src/network/targets.ts'
import { SandboxConfigError } from '../../src/sandbox/errors.ts'

const allowing = (...allow: string[]): EgressPolicy => ({ network: 'allowlist', allow })

function allowsUrl(policy: EgressPolicy, url: string): boolean {
  const target = readHttpTarget(url)
  return target !== undefined && new EgressRules(policy).allowsRequest(target)
}

function allowsTunnel(policy: EgressPolicy, authority: string): boolean {
  const target = readTunnelTarget(authority)
  return target !== undefined && new EgressRules(policy).allowsTunnel(target)
}

describe('an http entry', () => {
  // The engine's own answers for its allowedUrls.
  test.each([
    ['http://h.example', ['/', '/x', '/?q']],
    ['http://h.example/', ['/', '/x', '/%2e%2e/x', '/..%2fx', '/%ff', '//x']],
    [
      'http://h.example/api',
      ['/api', '/api/', '/api/x', '/api?q', '/./api/x', '/x/../api', '/api//x', '/api/a%20b'],
    ],
    ['http://h.example/api/', ['/api/', '/api/x']],
    ['http://h.example/api?q=1#f', ['/api', '/api?q=2', '/api/x']],
    ['http://h.example/a/../b', ['/b', '/b/c', '/a/../b']],
    ['http://h.example/%61pi', ['/%61pi', '/%61pi/x']],
    ['http://h.example/a%2fb', ['/a%2fb', '/a%2fb/c']],
    ['http://h.example/api', ['/api/group%2Fname', '/api/100%25', '/api/%25zz', '/api/x;v=1', '/api/%C3%A9']],
    ['HTTP://H.Example:80/', ['/']],
  ])('%s opens %j', (entry, paths) => {
    expect(paths.filter((path) => !allowsUrl(allowing(entry), `http://h.example${path}`))).toEqual([])
  })

  test.each([
    [
      'http://h.example/api',
      [
        '/',
        '/apix',
        '/API',
        '/%61pi',
        '//api',
        '/api;x',
        '/api%2fx',
        '/api%3Fx',
        '/api%00',
        '/api/../x',
        '/api/%2e%2e/x',
        '/api/.%2E/x',
      ],
    ],
    ['http://h.example/api/', ['/api', '/api?q']],
    ['http://h.example/%61pi', ['/api']],
    ['http://h.example/a%2fb', ['/a/b', '/a%2Fb']],
    // What a server could take for a path elsewhere.
    [
      'http://h.example/api',
      [
        '/api/..%2fx',
        '/api/..%2Fx',
        '/api/%2e%2e%2fx',
        '/api/..%5cx',
        '/api/..;/x',
        '/api/..;a=b/x',
        '/api/%252e%252e/x',
        '/api/%25252e%25252e%25252fx',
        '/api//..%2fx',
        '/api/.%252e/x',
        '/api/%c0%ae%c0%ae/x',
        '/api/%ff',
        '/api/%zz',
        '/api/..%3b/x',
      ],
    ],
  ])('%s does not open %j', (entry, paths) => {
    expect(paths.filter((path) => allowsUrl(allowing(entry), `http://h.example${path}`))).toEqual([])
  })

  test.each([
    'http://other.example/',
    'http://h.example.evil.example/',
    'http://evil-h.example/',
    'http://sub.h.example/',
    'http://h.example./',
    'http://h.example:8080/',
    'http://h.example:443/',
    'http://93.184.216.34/',
  ])('opens no other host or port: %s', (url) => {
    expect(allowsUrl(allowing('http://h.example/'), url)).toBe(false)
  })

  test('opens no tunnel', () => {
    expect(
      ['h.example:80', 'h.example:443'].filter((to) => allowsTunnel(allowing('http://h.example/'), to)),
    ).toEqual([])
  })
})

describe('an https entry', () => {
  test('opens a tunnel to its host and port, whatever its path', () => {
    const policy = allowing('https://h.example/v1', 'https://[::1]:8443/')
    const tried = [
      'h.example:443',
      'H.EXAMPLE:443',
      '[::1]:8443',
      'h.example:80',
      'h.example:8443',
      '[::1]:443',
      'x.h.example:443',
    ]
    expect(tried.filter((to) => allowsTunnel(policy, to))).toEqual([
      'h.example:443',
      'H.EXAMPLE:443',
      '[::1]:8443',
    ])
  })

  test('opens no plain request', () => {
    const policy = allowing('https://h.example/', 'https://h.example:80/')
    expect(['http://h.example/', 'http://h.example:443/'].filter((url) => allowsUrl(policy, url))).toEqual([])
  })
})

test('network none permits nothing', () => {
  expect(allowsUrl({ network: 'none' }, 'http://h.example/')).toBe(false)
  expect(allowsTunnel({ network: 'none' }, 'h.example:443')).toBe(false)
})

test.each([
  'h.example',
  'ftp://h.example/',
  'http://u:hush@h.example/',
  'http://*.example/',
  'http://h.example/%ff',
])('an entry that is no address prefix is refused, and not shown: %s', (entry) => {
  const make = () => new EgressRules(allowing('http://ok.example/', entry))
  expect(make).toThrow(SandboxConfigError)
  expect(make).toThrow(/^allow\[1\] (?:must be|holds)(?!.*hush)/)
})
