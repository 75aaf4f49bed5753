import { expect, test } from 'vitest'
import { cellEnvironment, proxySecrets, userProxies } from '../../../src/places/cells/cell-environment.ts'

const env = {
  HOME: '/home/service',
  DATABASE_URL: 'postgres://user:secret@db/',
  NODE_OPTIONS: '--inspect',
  LD_LIBRARY_PATH: '/opt/lib',
  SSL_CERT_FILE: undefined,
  HTTP_PROXY: 'http://user:p%40ss@proxy.example:3128/',
  https_proxy: 'http://proxy.example:3128/',
  NO_PROXY: 'inside.example,10.0.0.0/8',
  all_proxy: 'not an address',
}

test('a cell gets the variables that it needs of the environment, and no others', () => {
  expect(cellEnvironment(env)).toEqual({ LD_LIBRARY_PATH: '/opt/lib' })
})

test('the proxies that the user has set are found under their names in capital and small letters', () => {
  const { HTTP_PROXY, https_proxy, NO_PROXY, all_proxy } = env
  expect(userProxies(env)).toEqual({ HTTP_PROXY, https_proxy, NO_PROXY, all_proxy })
})

test('the passwords of proxies are secrets, as they are given and as they are sent', () => {
  expect([...proxySecrets(env)]).toEqual(['p%40ss', 'p@ss', btoa('user:p@ss')])
  expect([...proxySecrets({ http_proxy: 'http://user:50%@proxy.example/' })]).toEqual([
    '50%',
    btoa('user:50%'),
  ])
  expect(proxySecrets({}).size).toBe(0)
})
