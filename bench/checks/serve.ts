import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Check, Figure } from '../figure.ts'
import { childOf } from './child.ts'

const file = fileURLToPath(new URL('../serve-child.ts', import.meta.url))
const measure = childOf('serve-child.ts')
const clients = 64

/** Calls of a service on loopback, from a process of its own, beside what node:http and a host take alone. */
export const serve: Check = {
  name: 'serve',
  does: "execute('true') through a service on loopback: one client, and 64 clients at once.",
  run: async (effort) => {
    const seconds = String(Math.max(2, Math.ceil(10 * effort)))
    const figures = await atServer('http', seconds, 'node:http that answers with fixed texts', false)
    for (const shell of ['strands', 'bash']) {
      figures.push(
        ...(await figuresOf(shell, seconds, `${shell}, no service`, false)),
        ...(await atServer(shell, seconds, shell, true)),
      )
    }
    return figures
  },
}

/** @param isJudged - whether the figures have targets. */
async function atServer(kind: string, seconds: string, name: string, isJudged: boolean): Promise<Figure[]> {
  const server = spawn(process.execPath, ['--import', 'tsx', file, 'serve', kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  try {
    return await figuresOf(String(line).trim(), seconds, name, isJudged)
  } finally {
    server.stdin.end()
    await once(server, 'exit')
  }
}

async function figuresOf(where: string, seconds: string, name: string, isJudged: boolean): Promise<Figure[]> {
  const { median = Number.NaN } = await measure('call', where, '1', seconds)
  const { perSecond = Number.NaN } = await measure('call', where, String(clients), seconds)
  return [
    {
      name: `${name}: one client, median`,
      ours: median,
      unit: 'ms',
      judged: median,
      target: isJudged ? { most: 1.2 } : 'shown',
    },
    {
      name: `${name}: ${clients} clients, calls a second`,
      ours: perSecond,
      unit: 'calls/s',
      judged: perSecond,
      target: isJudged ? { least: 3000 } : 'shown',
    },
  ]
}
