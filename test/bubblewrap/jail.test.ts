import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { jailPlan, noJails, runJail } from '../support/jail.ts'

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'jail-test-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

describe.skipIf(noJails !== undefined)(`a jail${noJails === undefined ? '' : `: ${noJails}`}`, () => {
  test('runs bash with programs of the system, as a user without capabilities, with one loopback', async () => {
    const script = [
      'id -u; hostname; ls / | paste -sd " "',
      'grep -c . /proc/net/dev; grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status',
      'echo one | tr o 0 > /tmp/x && cat /tmp/x; (exit 3) & wait $!; echo $?',
      'env | grep -v SHLVL | sort | paste -sd " "',
    ].join('\n')
    const { stdout, stderr, status } = runJail(
      await jailPlan(['bash', '-c', script], {
        hostname: 'inside',
        environment: { PATH: '/usr/bin:/bin', A: 'b' },
      }),
    )
    expect([status, stderr]).toEqual([0, ''])
    const [uid, name, root, lines, capabilities, privileges, ...rest] = stdout.trim().split('\n')
    expect([uid, name, lines, capabilities, privileges]).toEqual([
      '1000',
      'inside',
      '3',
      'CapEff:\t0000000000000000',
      'NoNewPrivs:\t1',
    ])
    expect(root?.split(' ').filter((entry) => ['home', 'root', 'etc', 'var'].includes(entry))).toEqual([])
    expect(rest).toEqual(['0ne', '3', 'A=b PATH=/usr/bin:/bin PWD=/ _=/usr/bin/env'])
  })

  test('runs Node with threads and child processes, which sees no process of the host', async () => {
    const program = `
      const { execFileSync } = require('child_process'); const { Worker } = require('worker_threads')
      const { readdirSync } = require('fs')
      new Worker('require("worker_threads").parentPort.postMessage(6 * 7)', { eval: true }).on('message', (answer) => {
        const processes = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length
        console.log(answer, String(execFileSync('echo', ['child'])).trim(), processes, Object.keys(require('os').networkInterfaces()).join())
      })`
    const node = { kind: 'bind', source: process.execPath, destination: '/node' } as const
    const { stdout, stderr } = runJail(await jailPlan(['/node', '-e', program], { mounts: [node] }))
    expect([stdout, stderr]).toEqual(['42 child 2 lo\n', ''])
  })

  test('writes to what is bound for writing, and to nothing else', async () => {
    const [kept, open] = [directory(), directory()]
    for (const path of [kept, open]) writeFileSync(join(path, 'file'), 'old')
    const script =
      'echo new > /open/file; echo new > /kept/file; rm /kept/file; echo x > /usr/x; mkdir /kept/d'
    const { stderr } = runJail(
      await jailPlan(['bash', '-c', script], {
        mounts: [
          { kind: 'bind', source: open, destination: '/open', writable: true },
          { kind: 'bind', source: kept, destination: '/kept' },
        ],
      }),
    )
    expect([readFileSync(join(open, 'file'), 'utf8'), readFileSync(join(kept, 'file'), 'utf8')]).toEqual([
      'new\n',
      'old',
    ])
    expect(stderr.match(/Read-only file system/g)).toHaveLength(4)
  })

  test('holds a temporary file system to its size', async () => {
    const { stderr } = runJail(
      await jailPlan(['bash', '-c', 'head -c 2000000 /dev/zero > /small/x'], {
        mounts: [{ kind: 'tmpfs', destination: '/small', size: 2 ** 20 }],
      }),
    )
    expect(stderr).toMatch(/No space left on device/)
  })
})
