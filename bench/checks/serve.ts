import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { BundledChildren } from '../bundle.ts'
import type { Check, Figure } from '../figure.ts'
import { measuredBy } from './child.ts'

const clients = 64

/** Calls of a service on loopback, from a process of its own, beside what node:http and a host take alone. */
export const serve: Check = {
  name: 'serve',
  does: "execute('true') through a service on loopback: one client, and 64 clients at once.",
  run: async (effort) => {
    const seconds = String(Math.max(2, Math.ceil(10 * effort)))
    // As in the built package: a loader of TypeScript names each function when it is made, which takes time in every call.
    using children = await BundledChildren.build(['serve-child'])
    const file = `${children.directory}/serve-child.js`
    const run = { file, seconds }
    const figures = await atServer('http', run, 'node:http that answers with fixed texts', false)
    for (const shell of ['strands', 'bash']) {
      figures.push(
        ...(await figuresOf(shell, run, `${shell}, no service`, false)),
        ...(await atServer(shell, run, shell, true)),
      )
    }
    return figures
  },
}

interface Run {
  /** The program that serves and calls. */
  readonly file: string
  readonly seconds: string
}

/** @param isJudged - whether the figures have targets. */
async function atServer(kind: string, run: Run, name: string, isJudged: boolean): Promise<Figure[]> {
  const server = spawn(process.execPath, [run.file, 'serve', kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  try {
    return await figuresOf(String(line).trim(), run, name, isJudged)
  } finally {
    server.stdin.end()
    await once(server, 'exit')
  }
}

async function figuresOf(
  where: string,
  { file, seconds }: Run,
  name: string,
  isJudged: boolean,
): Promise<Figure[]> {
  const { median = Number.NaN, cold = Number.NaN } = await measuredBy(file, 'call', where, '1', seconds)
  const { perSecond = Number.NaN } = await measuredBy(file, 'call', where, String(clients), seconds)
  return [
    { name: `${name}: one client, first 500 calls`, ours: cold, unit: 'ms', judged: cold, target: 'shown' },
    {
      name: `${name}: one client, median after 5,000 calls`,
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
