import { expect, onTestFinished, test } from 'vitest'
import { RemoteSandbox } from '../../src/remote/index.ts'
import { sandboxTools } from '../../src/tools/index.ts'
import { clientOf, startService, token } from '../service/helpers.ts'

const templates = {
  default: { shell: 'bash' as const, python: true, files: { '/data/a': 'a' }, cwd: '/data' },
  native: { shell: 'strands' as const, timeout: 7, isolation: 'process' as const },
}

/** What the tools tell a model, by name. */
const told = (sandbox: Parameters<typeof sandboxTools>[0]) =>
  sandboxTools(sandbox).map(({ name, description }) => [name, description])

test('a remote sandbox tells tools the same as a local one of its template: when opened, found and forked', async () => {
  const service = await startService({ templates })
  const options = { url: service.url, token }
  for (const template of ['default', 'native'] as const) {
    const opened = await RemoteSandbox.open({ template }, options)
    const found = await RemoteSandbox.getOrOpen(opened.id, { template }, options)
    const sandboxes = [opened, found, await opened.fork()]
    const local = service.host.get(opened.id)
    if (local === undefined) throw new Error('The host of the service has no sandbox with the id.')
    for (const sandbox of sandboxes) {
      expect(sandbox.summary).toEqual(local.summary)
      expect(told(sandbox)).toEqual(told(local))
    }
    onTestFinished(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())).then(() => undefined))
  }
})

test('a list of sandboxes has no summaries, and one that was asked for has one without tokens or paths of the host', async () => {
  const secret = 'token-of-a-credential'
  const service = await startService({
    templates: {
      default: {
        shell: 'bash' as const,
        binds: [{ source: '/usr/share/doc', destination: '/doc' }],
        credentials: [{ url: 'https://api.example.com/', token: secret }],
      },
    },
  })
  const { id } = await RemoteSandbox.open({}, { url: service.url, token })
  const ask = clientOf(service)
  const list = await ask('GET', '/v1/sandboxes')
  expect(list.text).toContain(id)
  expect(list.text).not.toContain('summary')
  const one = await ask('GET', `/v1/sandboxes/${id}`)
  expect(one.json).toMatchObject({ summary: { shell: 'bash', binds: [{ destination: '/doc' }] } })
  expect(one.text).not.toContain(secret)
  expect(one.text).not.toContain('/usr/share/doc')
})
