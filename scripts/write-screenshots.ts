// Writes the pictures of docs/serve.md: npm run build && npx tsx scripts/write-screenshots.ts. It needs /usr/bin/chromium.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ShellHost } from '../src/index.ts'
import { RemoteSandbox } from '../src/remote/index.ts'
import { serve } from '../src/service/index.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))
const token = 'the-token-of-these-pictures'

const report = `import csv
import sys


def total(rows):
    """Sums the second column."""
    result = 0
    for row in rows:
        result += int(row[1])
    return result


if __name__ == "__main__":
    print(total(csv.reader(sys.stdin)))
`

const agents = [
  { id: 'triage-issues', tenant: 'acme', commands: ['ls /work', 'grep -c total /work/report.py'] },
  { id: 'nightly-import', tenant: 'globex', commands: ['seq 5 | paste -sd+ -', 'cat /work/missing.csv'] },
  {
    id: 'write-changelog',
    tenant: 'acme',
    commands: ['date +%Y', 'echo "- Sums of decimals" > /tmp/changes'],
  },
  { id: 'review-pull-request', tenant: 'initech', commands: ['wc -l /work/*'] },
  {
    id: 'fix-report',
    tenant: 'acme',
    commands: [
      'cd /work; cat report.py | head -9',
      String.raw`printf 'a,2.5\nb,3\n' > sample.csv; awk -F, '{ s += $2 } END { print s }' sample.csv`,
      'python --version',
      String.raw`sed -i 's/int(row\[1\])/float(row[1])/' report.py; grep -n float report.py`,
    ],
  },
]

const project = await mkdtemp(join(tmpdir(), 'pictures-'))
await writeFile(join(project, 'report.py'), report)
await mkdir(folder, { recursive: true })
const host = new ShellHost({ isolation: 'shared' })
const service = await serve({
  host,
  tokens: [{ token, name: 'operator' }],
  templates: {
    default: { shell: 'bash', binds: [{ source: project, destination: '/work', mode: 'copy' }] },
  },
})
let browser: Browser | undefined
try {
  for (const { id, tenant, commands } of agents) {
    const sandbox = await RemoteSandbox.getOrOpen(id, { labels: { tenant } }, { url: service.url, token })
    for (const command of commands) await sandbox.execute(command)
  }
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  await picture(browser, 'page-activity.png', 'light', async (page) => {
    await page.getByText('float(row[1])').first().waitFor()
  })
  await picture(browser, 'page-terminal.png', 'dark', async (page) => {
    await page.getByRole('tab', { name: 'Terminal' }).click()
    await page.locator('.xterm-rows', { hasText: 'float' }).waitFor()
  })
  await picture(browser, 'page-changes.png', 'light', async (page) => {
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByRole('button', { name: 'Show lines of /work/report.py' }).click()
    await page.getByLabel('Lines that differ').waitFor()
  })
  await picture(browser, 'page-host.png', 'dark', async (page) => {
    await page.getByRole('link', { name: 'Host' }).click()
    for (let second = 0; second < 30; second += 1) {
      for (const { id } of agents.slice(0, second % agents.length))
        await (await RemoteSandbox.getOrOpen(id, {}, { url: service.url, token })).execute('true')
      await page.waitForTimeout(1000)
    }
  })
} finally {
  await browser?.close()
  await service.close({ grace: 0 })
  await host.close()
  await rm(project, { recursive: true, force: true })
}

/** Takes a picture of the sandbox `fix-report`, or of what `act` shows instead. */
async function picture(
  opened: Browser,
  name: string,
  colorScheme: 'light' | 'dark',
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await opened.newPage({ colorScheme, viewport: { width: 1160, height: 640 } })
  await page.goto(`${service.url}/#token=${token}`)
  await page.getByRole('option', { name: 'fix-report' }).click()
  await act(page)
  await page.waitForTimeout(1000)
  await page.screenshot({ path: join(folder, name) })
  await page.close()
}
