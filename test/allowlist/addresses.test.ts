import { describe, expect, test } from 'vitest'
import { isPublicAddress, mayConnect } from '../../src/allowlist/addresses.ts'

describe('isPublicAddress', () => {
  test.each([
    '1.0.0.0',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:2800:220:1:248:1893:25c8:1946',
    '3ffe::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    ['unspecified', '0.0.0.0', '0.255.255.255', '::', '0:0:0:0:0:0:0:0'],
    ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
    [
      'private',
      '10.0.0.0',
      '10.255.255.255',
      '172.16.0.0',
      '172.31.255.255',
      '192.168.0.0',
      '192.168.255.255',
    ],
    ['unique local, metadata', 'fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
    [
      'link-local, metadata',
      '169.254.0.0',
      '169.254.169.254',
      '169.254.255.255',
      'fe80::1',
      'febf::1',
      'fe80::1%eth0',
    ],
    ['site-local', 'fec0::1', 'feff::1'],
    ['carrier-grade NAT', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
    ['benchmarking', '198.18.0.0', '198.19.255.255', '2001:2::1'],
    ['multicast', '224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1'],
    ['reserved, broadcast', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['protocol assignments', '192.0.0.1', '192.0.0.170', '192.88.99.1', '2001:10::1', '2001:20::1'],
    ['AS112, AMT', '192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8', '::7f00:1'],
    ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::', '2002:808:808::1'],
    ['Teredo', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['discard', '100::1'],
    ['outside of global unicast', '1fff::1', '4000::1', '5f00::1', '8000::', 'e000::1'],
    [
      'no address',
      '',
      'localhost',
      '8.8.8',
      '08.8.8.8',
      '0x8.8.8.8',
      '134744072',
      '8.8.8.8.',
      ' 8.8.8.8',
      '[2003::1]',
    ],
  ])('%s is not', (_name, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })
})

describe('mayConnect', () => {
  test.each([
    ['api.example', '93.184.216.34', true],
    ['api.example', '127.0.0.1', false],
    ['api.example', '10.0.0.1', false],
    ['x.localhost', '127.0.0.1', false],
    ['localhost.', '127.0.0.1', false],
    ['localhost', '127.0.0.1', true],
    ['localhost', '::1', true],
    ['localhost', '10.0.0.1', false],
    ['localhost', '93.184.216.34', false],
    ['localhost', 'nonsense', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['::1', '::1', true],
    ['169.254.169.254', '169.254.169.254', true],
  ])('%s at %s: %s', (hostname, address, may) => {
    expect(mayConnect(hostname, address)).toBe(may)
  })
})
