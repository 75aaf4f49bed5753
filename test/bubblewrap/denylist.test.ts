import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compiled, jailPlan, noCompiler, noJails, runJail } from '../support/jail.ts'

const { EPERM, ENOSYS } = constants.errno
const why = noJails ?? noCompiler
/** Calls that the filter leaves. */
const left = ['fork', 'unshare files', 'unix socket', 'tcp socket', 'tcp socket 6', 'netlink route']
/** Calls that the kernel refuses to whoever is not root, with or without a filter. */
const forRoot = [
  'mount',
  'umount2',
  'fsopen',
  'pivot_root',
  'bpf',
  'perf_event_open',
  'raw socket',
  'raw socket 6',
  'packet socket',
]
/** Calls that a kernel may lack, or refuse to everybody. */
const perhaps = [
  'terminal input',
  'terminal input, high bits',
  'netlink audit',
  'netlink firewall',
  'open_tree',
]

function results(stdout: string): Map<string, number> {
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

describe.skipIf(why !== undefined)(`the seccomp filter${why === undefined ? '' : `: ${why}`}`, () => {
  test('refuses every call of the denylist, which the kernel does not refuse outside, and leaves the others', async () => {
    const { program, directory } = compiled(
      fileURLToPath(new URL('fixtures/denied-calls.c', import.meta.url)),
    )
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const outside = results(spawnSync(program, { encoding: 'utf8' }).stdout)
    const bind = { kind: 'bind', source: program, destination: '/helper' } as const
    const jailed = runJail(await jailPlan(['/helper'], { mounts: [bind] }))
    expect(jailed.stderr).toBe('')
    const inside = results(jailed.stdout)
    expect([...inside.keys()]).toEqual([...outside.keys()])
    for (const [name, error] of inside) {
      const expected = left.includes(name) ? 0 : name === 'clone3' ? ENOSYS : EPERM
      expect([name, error]).toEqual([name, expected])
      const isControl = !perhaps.includes(name) && (process.getuid?.() === 0 || !forRoot.includes(name))
      if (expected !== 0 && isControl) expect([name, outside.get(name)]).not.toEqual([name, expected])
    }
  })
})
