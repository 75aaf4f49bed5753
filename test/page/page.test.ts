import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { type Service, serve } from '../../src/service/index.ts'
import { clientOf } from '../service/helpers.ts'
import { noBrowser, useBrowser } from './support.ts'

const token = 'the-token-of-an-operator'
const guestToken = 'the-token-of-who-looks-on'

describe.skipIf(noBrowser !== undefined)(`the page${noBrowser === undefined ? '' : `: ${noBrowser}`}`, () => {
  const open = useBrowser()
  let project: string
  let host: ShellHost
  let service: Service
  let send: ReturnType<typeof clientOf>

  const start = (port = 0) =>
    serve({
      host,
      port,
      tokens: [
        { token, name: 'operator' },
        { token: guestToken, name: 'guest', scopes: ['read'] },
      ],
      templates: {
        default: { shell: 'bash', binds: [{ source: project, destination: '/work', mode: 'copy' }] },
      },
    })

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'page-'))
    await writeFile(join(project, 'story'), 'once\nupon\n')
    host = new ShellHost({ isolation: 'shared' })
    service = await start()
    send = clientOf(service, token)
  })
  afterAll(async () => {
    await service.close({ grace: 0 })
    await host.close()
    await rm(project, { recursive: true, force: true })
  })

  /** Opens a sandbox as an agent does, and looks at it. */
  async function look(page: Page, id: string, tab: string): Promise<void> {
    await send('PUT', `/v1/sandboxes/${id}`, {})
    await page.getByRole('option', { name: id }).click()
    await page.getByRole('tab', { name: tab }).click()
  }

  const run = (id: string, command: string) => send('POST', `/v1/sandboxes/${id}/execute`, { command })
  const screenWith = (page: Page, text: string) => page.locator('.xterm-rows', { hasText: text }).waitFor()

  const isLive = (page: Page) => page.getByRole('banner').getByText('Live').waitFor()

  test('the files of the page need no token, and nothing else is among them', async () => {
    const bare = clientOf(service, '')
    const page = await bare('GET', '/')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'self'; ")
    expect(policy).toContain("frame-ancestors 'none'")
    const etag = page.headers.get('etag') ?? ''
    expect((await bare('GET', '/', undefined, { 'if-none-match': etag })).status).toBe(304)
    const linked = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(linked).toHaveLength(3)
    for (const path of linked) expect([path, (await bare('GET', path)).status]).toEqual([path, 200])
    for (const path of [
      '/assets/none.js',
      '/assets/..%2findex.html',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    ])
      expect([path, (await bare('GET', path)).status]).toEqual([path, 404])
    expect((await bare('GET', '/v1/sandboxes')).status).toBe(401)
    const without = await serve({ host, page: false, tokens: [{ token, name: 'operator' }] })
    onTestFinished(() => without.close({ grace: 0 }))
    expect((await clientOf(without, '')('GET', '/')).status).toBe(401)
    expect((await clientOf(without, token)('GET', '/')).status).toBe(404)
  })

  test('a token in the fragment lets in, leaves the address at once, and is kept in the tab', async () => {
    const { page, requests, troubles } = await open(service, token)
    await isLive(page)
    expect(page.url()).not.toContain(token)
    await page.reload()
    await isLive(page)
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await page.getByLabel('Token of the service').fill('a-token-that-nobody-has')
    await page.keyboard.press('Enter')
    await page.getByText('This token is not valid.').waitFor()
    expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([])
    expect(troubles).toEqual([])
  })

  test('an operator opens a sandbox, runs a command, watches it, and stops another', async () => {
    const { page, troubles } = await open(service, token)
    await page.getByRole('button', { name: 'New' }).click()
    await page.getByLabel('Id').fill('mine')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const line = page.getByLabel('Command', { exact: true })
    // It never ends by itself: what is shown of it was shown while it ran.
    await line.fill('echo "tick $((6 * 7))"; while :; do sleep 0.05; done')
    await page.getByRole('button', { name: 'Run' }).click()
    await screenWith(page, 'tick 42')
    await page.getByRole('option', { name: /running mine/ }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await screenWith(page, 'ABORTED')
    await line.fill('echo "again $((7 * 7))"')
    await line.press('Enter')
    await screenWith(page, 'again 49')
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByRole('listitem').filter({ hasText: 'again 49' }).filter({ hasText: 'exit 0' }).waitFor()
    expect(troubles).toEqual([])
  })

  test('what an agent writes is text: no HTML, no script, no title, no link, no answer of the terminal', async () => {
    const { page, troubles } = await open(service, token)
    const id = '<img src=x onerror=alert(1)>'
    await send('POST', '/v1/sandboxes', { id, labels: { tenant: '<b onclick=alert(2)>' } })
    const hostile = String.raw`printf '%b' '<script>alert(3)</script>\e]0;stolen\a\e]8;;https://example.com\a<u>link</u>\e]8;;\a\e[6n\e[?1049h\e[31mred'`
    await send('POST', `/v1/sandboxes/${encodeURIComponent(id)}/execute`, { command: hostile })
    await page.getByRole('option').filter({ hasText: '<img src=x' }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'exit 0' })
    expect(await entry.locator('.output').textContent()).toBe('<script>alert(3)</script><u>link</u>red')
    await page.getByRole('tab', { name: 'Terminal' }).click()
    await screenWith(page, 'exit 0')
    await page.getByLabel('Command', { exact: true }).fill('echo still here')
    await page.keyboard.press('Enter')
    await screenWith(page, 'still here')
    expect(await page.locator('main img, main script, main b, main u').count()).toBe(0)
    expect(await page.title()).toBe('strands-shell-runtime')
    expect(troubles).toEqual([])
  })

  test('an operator looks at changes and applies some of them', async () => {
    const { page } = await open(service, token)
    await send('PUT', '/v1/sandboxes/writer', {})
    await run('writer', 'cd /work; echo a time >> story; echo odd > unwanted')
    await look(page, 'writer', 'Changes')
    await page.getByRole('button', { name: 'Show lines of /work/story' }).click()
    const lines = page.getByLabel('Lines that differ')
    expect(await lines.locator('[data-side=new]').innerText()).toMatch(/3\s+\+\s+a time/)
    expect(await lines.locator('[data-side=both]').allInnerTexts()).toHaveLength(2)
    await page.getByLabel('Apply /work/unwanted').uncheck()
    await page.getByRole('button', { name: 'Apply 1 to the host' }).click()
    await page.getByText('1 written, 0 removed.').first().waitFor()
    expect(await readFile(join(project, 'story'), 'utf8')).toBe('once\nupon\na time\n')
    await expect(readFile(join(project, 'unwanted'))).rejects.toThrow()
  })

  test('the figures of the host are there as text, beside their charts', async () => {
    const { page, troubles } = await open(service, token)
    await page.getByRole('link', { name: 'Host' }).click()
    const places = page.getByRole('region', { name: 'Places' })
    await places.getByText('sandboxes with a session').waitFor()
    await places.locator('canvas').waitFor()
    await places.getByText('–').first().waitFor({ state: 'hidden' })
    expect(Number(await places.locator('dd').first().textContent())).toBeGreaterThan(0)
    expect(troubles).toEqual([])
  })

  test('who may only read is offered nothing else, and sees what happens', async () => {
    const { page } = await open(service, guestToken)
    await look(page, 'seen', 'Terminal')
    await page.getByText('This token may look on.').waitFor()
    await run('seen', 'echo look at this')
    await screenWith(page, 'look at this')
    expect(await page.getByRole('button', { name: /^(New|Run|Stop|Close sandbox)$/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Host' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('No changes').waitFor()
    expect(await page.getByRole('button', { name: /Apply/ }).count()).toBe(0)
  })

  test('the keyboard alone finds a sandbox, opens it, goes to its terminal, and closes it', async () => {
    const { page } = await open(service, token)
    await isLive(page)
    await send('PUT', '/v1/sandboxes/by-keys', {})
    await page.keyboard.press('/')
    await page.keyboard.type('by-keys')
    await page.getByRole('option', { name: 'by-keys' }).waitFor()
    await vi.waitFor(async () => expect(await page.locator('.virtual-row').count()).toBe(1), 30_000)
    await page.getByRole('listbox').focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('[role=option][data-marked=true]').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Activity' }).focus()
    await page.keyboard.press('ArrowRight')
    // Enter runs nothing before the terminal is connected.
    await page.getByRole('button', { name: 'Run' }).and(page.locator(':enabled')).waitFor()
    await page.getByLabel('Command', { exact: true }).focus()
    await page.keyboard.type('echo typed')
    await page.keyboard.press('Enter')
    await screenWith(page, 'typed')
    await page.getByRole('button', { name: 'Close sandbox' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close sandbox' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Close it for good' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('There is no sandbox by-keys').waitFor()
    expect((await send('GET', '/v1/sandboxes/by-keys')).status).toBe(404)
  })

  test('the page says that the service is gone, and shows what there is when it is back', async () => {
    const { page } = await open(service, token)
    await look(page, 'left', 'Terminal')
    await isLive(page)
    await page.getByLabel('Search sandboxes').fill('left')
    const { port } = new URL(service.url)
    await service.close({ grace: 0 })
    await page.getByRole('banner').getByText('Disconnected').waitFor()
    await page.getByRole('button', { name: 'Run' }).and(page.locator(':disabled')).waitFor()
    service = await start(Number(port))
    await isLive(page)
    // The records of this service were in memory.
    await page.getByText('There is no sandbox left').waitFor()
    await send('PUT', '/v1/sandboxes/left-2', {})
    await page.getByRole('option', { name: 'left-2' }).click()
    await run('left-2', 'echo after the restart')
    await screenWith(page, 'after the restart')
  })
})
