import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ShellHost, StrandsShellSandbox } from 'strands-shell-runtime'
import { runAndShow } from './agent.ts'
import type { Claims } from './claims.ts'
import { chapter } from './terminal.ts'

/** Tries three ways out of the sandbox, and shows that each is refused. */
export async function tryToLeave(
  host: ShellHost,
  sandbox: StrandsShellSandbox,
  sources: URL,
  claims: Claims,
): Promise<void> {
  await touchTheHost(sandbox, sources, claims)
  await climbOut(host, claims)
  await reachTheNetwork(sandbox, claims)
}

async function touchTheHost(sandbox: StrandsShellSandbox, sources: URL, claims: Claims): Promise<void> {
  chapter('Way out 1: paths of the host')
  const index = fileURLToPath(new URL('index.ts', sources))
  const before = await readFile(index, 'utf8')
  const target = `/etc/strands-tour-${process.pid}`
  const attempts = [
    await runAndShow(sandbox, 'cat /etc/passwd'),
    await runAndShow(sandbox, `echo owned > ${target}`),
    await runAndShow(sandbox, `cat '${index}'`),
  ]
  claims.check('nothing was read or written', attempts.every(isRefused) && !existsSync(target))
  await runAndShow(sandbox, 'echo owned > /repo/src/index.ts; cat /repo/src/index.ts')
  claims.check('the copy has changed, the host has not', (await readFile(index, 'utf8')) === before)
}

async function climbOut(host: ShellHost, claims: Claims): Promise<void> {
  chapter('Way out 2: ".." and links, from a host directory bound for reading')
  const directory = await mkdtemp(join(tmpdir(), 'strands-tour-'))
  try {
    const secret = join(directory, 'secret.txt')
    const bound = join(directory, 'bound')
    await mkdir(bound)
    await writeFile(secret, 'the secret\n')
    await writeFile(join(bound, 'open.txt'), 'for everyone\n')
    await symlink('../secret.txt', join(bound, 'link'))
    const binds = [{ source: bound, destination: '/bound', readonly: true }]
    await using sandbox = await host.open({ binds })
    const open = await runAndShow(sandbox, 'cat /bound/open.txt')
    const attempts = [
      await runAndShow(sandbox, 'cat /bound/../secret.txt'),
      await runAndShow(sandbox, 'cat /bound/link'),
      await runAndShow(sandbox, `ln -s '${secret}' /tmp/link; cat /tmp/link`),
      await runAndShow(sandbox, 'echo owned > /bound/open.txt'),
    ]
    claims.check('the bound file can be read', open.stdout === 'for everyone\n')
    claims.check('its neighbours cannot be read, and nothing was written', attempts.every(isRefused))
    claims.check(
      'the host file is unchanged',
      (await readFile(join(bound, 'open.txt'), 'utf8')) === open.stdout,
    )
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function reachTheNetwork(sandbox: StrandsShellSandbox, claims: Claims): Promise<void> {
  chapter('Way out 3: addresses that only the host should reach')
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end('an internal page\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  try {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const attempts = [
      await runAndShow(sandbox, `curl http://127.0.0.1:${port}/`),
      await runAndShow(sandbox, `curl http://2130706433:${port}/`),
      await runAndShow(sandbox, 'curl http://169.254.169.254/latest/meta-data/'),
    ]
    claims.check('each was refused', attempts.every(isRefused))
    claims.check('the server on 127.0.0.1 saw no request', requests === 0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function isRefused({ exitCode, stdout }: { readonly exitCode: number; readonly stdout: string }): boolean {
  return exitCode !== 0 && stdout === ''
}
