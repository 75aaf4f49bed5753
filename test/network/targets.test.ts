import { describe, expect, test } from 'vitest'
import { readHttpTarget, readTunnelTarget } from '../../src/network/targets.ts'

describe('readHttpTarget', () => {
  test('reads an address as a URL parser writes it', () => {
    expect(readHttpTarget('HTTP://API.Example:8080/a/../b?token=x')).toEqual({
      hostname: 'api.example',
      port: 8080,
      host: 'api.example:8080',
      pathname: '/b',
      path: '/b?token=x',
      shown: 'http://api.example:8080/b',
    })
  })

  test.each([
    ['http://h.example', 'h.example', 80, '/'],
    ['http://h.example:80/', 'h.example', 80, '/'],
    ['http://h.example?q', 'h.example', 80, '/?q'],
    ['http://[2606:4700::1]:81/x', '2606:4700::1', 81, '/x'],
    ['http://93.184.216.34/', '93.184.216.34', 80, '/'],
    ['http://h.example./', 'h.example.', 80, '/'],
    ['http://h.example/a/%2e%2e/b', 'h.example', 80, '/b'],
  ])('%s', (text, hostname, port, path) => {
    expect(readHttpTarget(text)).toMatchObject({ hostname, port, path })
  })

  test.each([
    '',
    '/',
    '/path',
    '*',
    '//h.example/',
    'h.example:80',
    'h.example/path',
    'https://h.example/',
    'ws://h.example/',
    'ftp://h.example/',
    'file:///etc/passwd',
    'http:h.example/',
    'http:/h.example/',
    'http:///h.example/',
    'http://',
    'http://user@h.example/',
    'http://user:pass@h.example/',
    'http://h.example@evil.example/',
    'http://h.example#@evil.example/',
    'http://h.example/#f',
    'http://h.example\\@evil.example/',
    'http:\\\\h.example/',
    'http://h.example/a\\b',
    'http://h.example/a b',
    'http://h.example/\t',
    'http://h.example/\u00e9',
    'http://h\u00e9.example/',
    'http://h%2eexample/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[fe80::1%25eth0]/',
    'http://[::1/',
    'http://h.example:080/',
    'http://h.example:/',
    'http://h.example:99999/',
    'http://h.example:-1/',
  ])('refuses %j', (text) => {
    expect(readHttpTarget(text)).toBeUndefined()
  })
})

describe('readTunnelTarget', () => {
  test.each([
    ['h.example:443', 'h.example', 443],
    ['H.Example:8443', 'h.example', 8443],
    ['h.example:80', 'h.example', 80],
    ['127.0.0.1:443', '127.0.0.1', 443],
    ['[::1]:443', '::1', 443],
  ])('%s', (text, hostname, port) => {
    expect(readTunnelTarget(text)).toEqual({ hostname, port })
  })

  test.each([
    '',
    'h.example',
    ':443',
    'h.example:',
    'h.example:0',
    'h.example:0443',
    'h.example:65536',
    'h.example:443:443',
    'h.example:443/',
    'h.example/x:443',
    'h.example?x:443',
    'h.example#x:443',
    'user@h.example:443',
    'u:p@h.example:443',
    'https://h.example:443',
    'h.example\\x:443',
    'h example:443',
    '::1:443',
    '[::1%25eth0]:443',
    '[::ffff:127.0.0.1]:443',
    '127.1:443',
    '0x7f000001:443',
    '127.0.0.1.:443',
    'h%2eexample:443',
    'h\u00e9.example:443',
  ])('refuses %j', (text) => {
    expect(readTunnelTarget(text)).toBeUndefined()
  })
})
