import { expect, test } from 'vitest'
import { proxyEnvironment } from '../../src/network/proxy-environment.ts'

test('the environment of a process names this proxy and no exception to it', () => {
  const url = 'http://cell1:token@127.0.0.1:1'
  const base = {
    PATH: '/bin',
    http_proxy: 'http://other/',
    Https_Proxy: 'http://other/',
    no_proxy: '*',
    NO_PROXY: '127.0.0.1',
    All_Proxy: 'socks5://other/',
    REQUEST_METHOD: 'GET',
  }
  expect(proxyEnvironment(base, url)).toEqual({
    PATH: '/bin',
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
  })
})
