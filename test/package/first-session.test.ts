import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { installTarball } from '../../scripts/release/try-package.ts'
import { browserPath, noBrowser } from '../page/support.ts'
import { isFull } from '../support/tier.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Seconds from `npm install` until the session is seen. */
const mostTime = 120
/** Milliseconds in which Node itself starts on a usual machine: a slower one has as much more time. */
const usualStart = 40

/** What an agent does in a process of its own. */
const agent = `
  import { RemoteSandbox } from 'strands-shell-runtime/remote'
  const [, , url, token] = process.argv
  const sandbox = await RemoteSandbox.getOrOpen('agent-1', {}, { url, token })
  await sandbox.execute("printf 'a,2\\\\nb,3\\\\n' > sales.csv")
  await sandbox.execute("awk -F, '{ s += $2 } END { print \\"sum\\", s }' sales.csv")
`

it.runIf(isFull && noBrowser === undefined)(
  "shows a new user an agent's session on the page within two minutes of npm install",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'first-session-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const [packed]: [{ filename: string }] = JSON.parse((await run('npm', pack, { cwd: root })).stdout)
    const start = performance.now()
    const since = () => (performance.now() - start) / 1000

    await installTarball(`./${packed.filename}`, folder)
    const installed = since()
    const { url, token } = await serveIn(folder, `${await thirdCommand()} --port 0`)
    const serving = since()
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`${url}/#token=${token}`)
    await writeFile(join(folder, 'agent.mjs'), agent)
    await run(process.execPath, ['agent.mjs', url, token], { cwd: folder })
    await page.getByRole('option', { name: 'agent-1' }).click()
    await page.getByText('sum 5').first().waitFor()
    const seen = since()

    console.log(
      `installed after ${installed.toFixed(1)} s, serving after ${serving.toFixed(1)} s, ` +
        `the session of the agent on the page after ${seen.toFixed(1)} s`,
    )
    const { stdout } = await run(process.execPath, ['-p', 'performance.nodeTiming.bootstrapComplete'])
    expect(seen).toBeLessThan(mostTime * Math.max(1, Number(stdout) / usualStart))
  },
  600_000,
)

/** The third command of the README that shows how to install. */
async function thirdCommand(): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, commands = ''] = /```sh\n(npm install [^`]*)```/.exec(readme) ?? []
  const [, , third = ''] = commands.split('\n')
  const command = third.replace(/ +#.*/, '')
  expect(command).toBe('npx strands-shell-runtime serve')
  return command
}

/** Runs a command that serves, as somebody without earlier sessions. Gives what it prints. */
async function serveIn(folder: string, command: string): Promise<{ url: string; token: string }> {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state'), STRANDS_SHELL_SERVE_TOKEN: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: npx passes SIGTERM on to a shell, and not to the service that the shell has started.
    detached: true,
  })
  // Its pipe closes when the service has ended, too.
  const closed = once(child, 'close')
  onTestFinished(async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    child.stdout.resume()
    await closed
  })
  let url = ''
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^Serving at (\S+)$/.exec(line) ?? []
    const [, file] = /^The token is in (".*")\.$/.exec(line) ?? []
    url = address ?? url
    if (file !== undefined) return { url, token: (await readFile(JSON.parse(file), 'utf8')).trim() }
  }
  throw new Error('The service has ended before it listened.')
}
