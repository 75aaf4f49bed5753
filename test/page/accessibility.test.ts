import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { serve } from '../../src/service/index.ts'
import { clientOf } from '../service/helpers.ts'
import { isFull } from '../support/tier.ts'
import { noBrowser, useBrowser } from './support.ts'

const token = 'the-token-of-an-operator'
const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const found = v.array(
  v.object({
    id: v.string(),
    nodes: v.array(v.object({ target: v.array(v.string()), failureSummary: v.string() })),
  }),
)

describe.skipIf(!isFull || noBrowser !== undefined)('axe finds nothing to mend', () => {
  const open = useBrowser()

  test.each(['light', 'dark'] as const)(
    'in the views of the page, when it is %s',
    async (colorScheme) => {
      const source = await mkdtemp(join(tmpdir(), 'page-'))
      onTestFinished(() => rm(source, { recursive: true, force: true }))
      await writeFile(join(source, 'story'), 'once\nupon\n')
      const host = new ShellHost({ isolation: 'shared' })
      onTestFinished(() => host.close())
      const binds = [{ source, destination: '/work', mode: 'copy' as const }]
      const templates = { default: { shell: 'bash' as const, binds } }
      const service = await serve({ host, tokens: [{ token, name: 'operator' }], templates })
      onTestFinished(() => service.close({ grace: 0 }))
      const send = clientOf(service, token)
      await send('PUT', '/v1/sandboxes/agent-1', { labels: { tenant: 'one' } })
      for (const command of ['echo more >> /work/story; cat /work/story', 'false', 'echo wrong >&2; exit 3'])
        await send('POST', '/v1/sandboxes/agent-1/execute', { command })

      const { page } = await open(service, token, { colorScheme })
      const tab = (name: string) => page.getByRole('tab', { name }).click()
      await page.getByRole('option', { name: 'agent-1' }).click()
      await tab('Activity')
      await page.getByText('exit 3').first().waitFor()
      expect(await troublesOf(page)).toEqual([])
      await tab('Terminal')
      await page.locator('.xterm-rows').waitFor()
      expect(await troublesOf(page)).toEqual([])
      await tab('Changes')
      await page.getByText('/work/story').first().waitFor()
      expect(await troublesOf(page)).toEqual([])
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await troublesOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Host' }).click()
      // Charts are drawn once there are readings.
      await page.getByRole('main', { name: 'Host' }).locator('canvas').first().waitFor()
      expect(await troublesOf(page)).toEqual([])
    },
    120_000,
  )

  test.each(['light', 'dark'] as const)(
    'where a token is asked for, and one is refused, when it is %s',
    async (colorScheme) => {
      const host = new ShellHost({ isolation: 'shared' })
      onTestFinished(() => host.close())
      const service = await serve({ host, tokens: [{ token, name: 'operator' }] })
      onTestFinished(() => service.close({ grace: 0 }))
      const { page } = await open(service, '', { colorScheme })
      const field = page.getByLabel('Token of the service')
      await field.waitFor()
      expect(await troublesOf(page)).toEqual([])
      await field.fill('a-token-that-nobody-has')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
      expect(await troublesOf(page)).toEqual([])
    },
    120_000,
  )
})

/** What axe finds on a page as it is. */
async function troublesOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  const violations: unknown = await page.evaluate('axe.run().then(({ violations }) => violations)')
  return v
    .parse(found, violations)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
}
