import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { clientOf, startService } from './helpers.ts'

test('docs/openapi.json is the document that a service serves: npm run docs:openapi', async () => {
  const send = clientOf(await startService())
  const document = await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  expect((await send('GET', '/openapi.json')).json).toEqual(JSON.parse(document))
})

test('docs/serve.md names every route of the document', async () => {
  const page = await readFile(new URL('../../docs/serve.md', import.meta.url), 'utf8')
  const document: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
    await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
  )
  const missing = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter(
        (route) => !page.includes(route) && !page.includes(route.replace(/\/v1\/sandboxes\/\{id\}\//, '…/')),
      ),
  )
  expect(missing).toEqual([])
})

test('every operation of the document has its own name', async () => {
  const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
  )
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(names.length).toBeGreaterThan(25)
  expect(new Set(names).size).toBe(names.length)
})
