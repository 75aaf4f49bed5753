import { afterAll, beforeAll } from 'vitest'
import { RemoteSandbox } from '../../src/remote/index.ts'
import { describeContract } from '../sandbox/contract.ts'
import { type ServerProcess, startServer } from './server-process.ts'

let server: ServerProcess

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

describeContract('RemoteSandbox, through a process that serves', {
  open: () => RemoteSandbox.open({}, { url: server.url, token: server.token }),
})
