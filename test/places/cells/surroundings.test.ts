import { readFileSync, readlinkSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SessionLoss } from '../../../src/index.ts'
import { until } from '../../faults/helpers.ts'
import { noJails } from '../../support/jail.ts'
import { cellPids } from './cell-pids.ts'
import { cellHost, faultyCell, told } from './helpers.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a cell', () => {
  it.each([
    ['none', []],
    ['auto', noJails === undefined ? [`PWD=${process.cwd()}`, 'TMPDIR=/cell'] : []],
  ] as const)(
    'with hardening %s does not have the environment, the flags and the input of its host',
    async (hardening, own) => {
      vi.stubEnv('SERVICE_SECRET', 'parent-secret')
      vi.stubEnv('NODE_OPTIONS', '--inspect=0 --max-old-space-size=100')
      vi.stubEnv('SSL_CERT_DIR', '/etc/certs-of-mine')
      vi.stubEnv('TMPDIR', undefined)
      const host = cellHost({ hardening })
      const sandbox = await host.open()
      const [pid] = cellPids()
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, -1)
      const others = environment.filter(
        (line) => !/^(\w+_(proxy|PROXY)|LD_LIBRARY_PATH|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS)=/.test(line),
      )
      expect(others.sort()).toEqual([...own, 'SSL_CERT_DIR=/etc/certs-of-mine'].sort())
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).toEqual([
        process.execPath,
        expect.stringMatching(/\/dist\/cell\/entry\.js$/),
        '',
      ])
      expect(readlinkSync(`/proc/${pid}/fd/0`)).toBe('/dev/null')
      expect(await told(sandbox.execute('env | grep -c -i secret'))).toBe('0\n')
      expect(await told(sandbox.execute('cat'))).toBe('')
    },
  )

  it('does not end by SIGINT, SIGTERM or SIGHUP alone', async () => {
    const host = cellHost()
    const sandbox = await host.open()
    const [pid = 0] = cellPids()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      for (let sent = 0; sent < 3; sent++) process.kill(pid, signal)
      expect([signal, await told(sandbox.execute('sleep 0.1; echo lives'))]).toEqual([signal, 'lives\n'])
    }
    expect(cellPids()).toEqual([pid])
  })

  it('is the first process that the system ends when memory runs out, and leaves no core dump, nor any of its memory in one', async () => {
    const host = cellHost()
    await host.open()
    const [pid] = cellPids()
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000')
    expect(readFileSync(`/proc/${pid}/coredump_filter`, 'utf8').trim()).toBe('00000000')
    expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/^Max core file size\s+0\s+0\s/m)
  })
})

describe('what a lost cell has printed', () => {
  /** What the loss of a cell says that a fault has ended, and the whole error as it is logged. */
  async function outputOf(fault: string, token: string): Promise<string | undefined> {
    const host = cellHost({ cellUrl: faultyCell(fault) })
    const credentials = [{ url: 'https://api.example/', token }]
    const sandbox = await host.open({ allowedUrls: ['https://api.example/'], credentials })
    const [pid = 0] = cellPids()
    process.kill(pid, 'SIGUSR2')
    await until(() => sandbox.status === 'lost')
    const error: unknown = await sandbox.execute('echo a').catch((thrown: unknown) => thrown)
    if (error instanceof Error && error.cause instanceof SessionLoss) return error.cause.output
    throw error
  }

  it('is in the loss, from both streams', async () => {
    const fault = "console.log('to stdout'); console.error('to stderr'); process.exit(4)"
    const output = await outputOf(fault, 'tok-en-1')
    expect(output?.split('\n').sort()).toEqual(['to stderr', 'to stdout'])
  })

  it('is in the loss without the tokens of its sandboxes', async () => {
    const fault = "console.error('before tok-en-1 after, tok-en-1'); process.exit(4)"
    expect(await outputOf(fault, 'tok-en-1')).toBe('before [secret] after, [secret]')
  })

  it('is in the loss up to its last 4 KiB', async () => {
    const fault = "writeSync(2, 'x'.repeat(60_000) + 'the end'); process.exit(4)"
    expect(await outputOf(fault, 'tok-en-1')).toBe(`${'x'.repeat(4096 - 7)}the end`)
  })
})
