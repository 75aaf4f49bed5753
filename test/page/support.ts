import { execFileSync } from 'node:child_process'
import { accessSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Service } from '../../src/service/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Where the browser is. */
export const browserPath: string = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Why there is no browser; undefined where there is one. */
export const noBrowser: string | undefined = whyNoBrowser()

function whyNoBrowser(): string | undefined {
  try {
    accessSync(browserPath)
    return undefined
  } catch {
    // Its absence is the answer.
    return `there is no ${browserPath}`
  }
}

/** The browser of a test file, which its end closes. It builds the page where its sources are newer. */
export function useBrowser() {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (isStale())
      execFileSync(process.execPath, [join(root, 'scripts/build-page.mjs')], { stdio: 'inherit' })
    browser = await chromium.launch({
      executablePath: browserPath,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
  })
  afterAll(() => browser?.close())
  /** A page of a service, in a browser that knows nothing yet. */
  return async (
    { url }: Service,
    token: string,
    options: BrowserContextOptions = {},
  ): Promise<OpenedPage> => {
    if (browser === undefined) throw new Error('The browser has not started.')
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const requests: string[] = []
    const troubles: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('pageerror', (error) => troubles.push(String(error)))
    page.on('dialog', (dialog) => troubles.push(`a dialog: ${dialog.message()}`))
    page.on('console', (message) => {
      if (/content security|trusted ?type/i.test(message.text())) troubles.push(message.text())
    })
    await page.goto(`${url}/#token=${encodeURIComponent(token)}`)
    return { page, requests, troubles }
  }
}

/** A page, and what it did. */
export interface OpenedPage {
  readonly page: Page
  /** The addresses of all that it asked for. */
  readonly requests: readonly string[]
  /** Errors that nothing caught, dialogs, and what the browser refused by the policy of the page. */
  readonly troubles: readonly string[]
}

/** Whether a source of the page is newer than what was built of it. */
function isStale(): boolean {
  const newest = (folder: string) =>
    Math.max(
      ...readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
    )
  try {
    return newest('page') > newest('dist/page')
  } catch {
    // Nothing was built.
    return true
  }
}
