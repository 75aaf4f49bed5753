import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  SandboxError,
  SessionLoss,
  ShellHost,
  type StrandsShellConfig,
  StrandsShellSandbox,
} from '../../../src/index.ts'

const workerUrl = pathToFileURL(fileURLToPath(new URL('../../../.tmp/faulty-worker.cjs', import.meta.url)))
/** In the module's scope, so that no sandbox is collected. */
const kept: StrandsShellSandbox[] = []

function sandbox(config?: StrandsShellConfig): StrandsShellSandbox {
  const made = new StrandsShellSandbox(config, { host: new ShellHost({ isolation: 'worker', workerUrl }) })
  kept.push(made)
  return made
}

function print(call: Promise<unknown>): void {
  call.then(
    (value) => console.log(JSON.stringify(value) ?? 'settled'),
    (error: unknown) => {
      if (!(error instanceof SandboxError)) throw error
      console.log(error.code, error.cause instanceof SessionLoss ? error.cause.code : '')
    },
  )
}

const scenes: Readonly<Record<string, () => Promise<void>>> = {
  'pending call': async () => {
    const shell = sandbox()
    await shell.open()
    print(shell.execute('sleep 0.5; echo done').then(({ stdout }) => stdout.trim()))
  },
  'pending file operation': async () => print(sandbox().writeText('/tmp/a', 'a')),
  'pending open': async () => print(sandbox().open()),
  'pending slow open': async () => print(sandbox({ env: { FAULT_OPEN: 'slow' } }).open()),
  'pending close': async () => {
    const shell = sandbox({ env: { HOSTILE: 'service' } })
    await shell.execute('close-mode silence')
    print(shell.close())
  },
  'pending call of a worker that exits': async () => {
    const shell = sandbox()
    await shell.open()
    print(shell.execute('fault exit-later'))
  },
  'pending call of a worker that closes its port': async () => {
    const shell = sandbox({ env: { HOSTILE: 'service' } })
    await shell.open()
    print(shell.execute('close-port'))
  },
  'pending call that ignores its deadline': async () => {
    const shell = sandbox({ timeout: 0.5 })
    await shell.open()
    print(shell.execute('fault hang'))
  },
  'pending call whose per-call timeout passes': async () => {
    const shell = sandbox()
    await shell.open()
    print(shell.execute('sleep 1', { timeout: 0.5 }))
  },
  'open sandboxes': async () => {
    for (let made = 0; made < 3; made++) await sandbox().execute('true')
    console.log('end')
  },
  'open sandbox of the default host': async () => {
    const shell = new StrandsShellSandbox()
    kept.push(shell)
    await shell.execute('true')
    console.log('end')
  },
  'warm worker': async () => {
    const shell = sandbox()
    await shell.execute('true')
    await shell.close()
    console.log('end')
  },
  'abandoned command': async () => {
    const shell = sandbox()
    await shell.open()
    await shell.execute('sleep 29', { timeout: 0.1 }).catch(() => console.log('end'))
  },
  'abandoned command that never ends': async () => {
    const shell = sandbox()
    await shell.open()
    await shell.execute('cat /dev/zero > /dev/null', { timeout: 0.1 }).catch(() => console.log('end'))
  },
  'abandoned streaming call': async () => {
    const shell = sandbox()
    for await (const _ of shell.executeStreaming('echo a')) break
    console.log('end')
  },
  'aborted opening': async () => {
    const abort = new AbortController()
    const call = sandbox({ env: { FAULT_OPEN: 'slow' } }).execute('true', { signal: abort.signal })
    abort.abort()
    await call.catch(() => console.log('end'))
  },
  'lost session': async () => {
    await sandbox()
      .execute('fault exit')
      .catch(() => console.log('end'))
  },
  'closed under a call': async () => {
    const shell = sandbox()
    await shell.open()
    shell.execute('sleep 29').catch(() => undefined)
    await shell.close()
    console.log('end')
  },
}

for (const scene of process.argv.slice(2)) await scenes[scene]?.()
