import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isFull } from '../../support/tier.ts'

const main = fileURLToPath(new URL('../../../soak/cluster/main.ts', import.meta.url))

it.runIf(isFull)(
  'a cluster whose nodes are killed and stopped keeps every promise',
  async () => {
    const args = ['--minutes', '0.5', '--sessions', '20', '--rate', '8', '--jobs', '60', '--every', '8']
    const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], {
      env: { ...process.env, NODE_OPTIONS: '' },
      timeout: 280_000,
    })
    const said = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'exit')
    expect([code, ...(await said)]).toEqual([
      0,
      expect.stringContaining('60 jobs, each with one result, which it still has'),
      '',
    ])
  },
  300_000,
)
