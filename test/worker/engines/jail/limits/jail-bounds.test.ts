import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { findGroupParents } from '../../../../../src/control-groups/group-parents.ts'
import { JailBounds } from '../../../../../worker/engines/jail/limits/jail-bounds.ts'
import { launched } from '../../../../../worker/engines/jail/open/launcher.ts'
import { isFull } from '../../../../support/tier.ts'
import { jailCommand, noJail } from '../bare-jail.ts'

const parents = findGroupParents()
const isRoot = process.getuid?.() === 0
const limits = { maxFileSize: 2 ** 20, maxProcesses: 30, maxMemory: 2 ** 26, maxOpenFiles: 64 }
/** `bwrap` twice, and a shell. */
const own = 3

/** Runs a script in a jail with bounds. */
async function run(script: string, means: 'groups' | 'no groups' = 'groups') {
  const bounds = new JailBounds(limits, means === 'groups' ? { own } : { own, parents: null })
  const command = jailCommand(['--chdir', '/tmp'], ['sh', '-c', `${bounds.script}${script}`])
  const { file, args } = launched(command, { groups: bounds.groups })
  const child = spawn(file, [...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exceeded: string[] = []
  bounds.begin(child.pid ?? 0, (how) => {
    exceeded.push(how)
    child.kill('SIGKILL')
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes))
  await once(child, 'close')
  const reached = bounds.takeReached()
  const again = bounds.takeReached()
  bounds.close()
  return { output, reached, again, exceeded }
}

/** Starts processes without end. */
const forkBombs = [
  { what: 'one after another', script: "sh -c 'while :; do sleep 20 & done' 2>/dev/null; echo survived" },
  ...(isFull
    ? [
        {
          what: 'that do the same',
          script: "sh -c 'f() { f & f & sleep 1; }; f' 2>/dev/null; echo survived",
        },
      ]
    : []),
]
/** Takes half a gibibyte. */
const memoryBomb = 'head -c 512M /dev/zero | tail -c 511M > /dev/null; echo "ended with $?"'
const tooMany = expect.stringMatching(
  /^limits\.maxProcesses was reached: no more than 30 processes and threads/,
)
const tooMuch = /limits\.maxMemory was reached: 67108864 bytes/

function groupsLeft(): string[] {
  return [parents?.pids, parents?.memory].flatMap((directory) =>
    directory === undefined
      ? []
      : readdirSync(directory).filter((name) => name.startsWith(`strands-jail-${process.pid}-`)),
  )
}

describe.skipIf(noJail !== undefined)(
  `the limits of a jail${noJail === undefined ? '' : `: ${noJail}`}`,
  () => {
    it('bound the files of each process', async () => {
      const { output } = await run(
        'ulimit -n; ulimit -Hn; ulimit -c; (head -c 2M /dev/zero > big) 2>/dev/null; wc -c < big; ulimit -n 100 2>/dev/null || echo refused',
      )
      expect(output.replace(/^File size.*\n/m, '')).toBe('64\n64\n0\n1048576\nrefused\n')
    })
  },
)

describe.skipIf(noJail !== undefined || parents === undefined)('a control group of a jail', () => {
  it.each(forkBombs)('contains processes that are started $what', async ({ script }) => {
    const { output, reached, again, exceeded } = await run(`${script}; kill -9 -1`)
    expect(spawnSync('true').status).toBe(0)
    expect([output, exceeded, reached, again]).toEqual(['survived\n', [], [tooMany], []])
  })

  it('contains what takes memory without end', async () => {
    const { output, reached, again, exceeded } = await run(memoryBomb)
    expect([output, exceeded, again]).toEqual([expect.stringMatching(/ended with 137\n$/), [], []])
    expect(reached).toEqual([expect.stringMatching(tooMuch)])
  })

  it('is removed after its jail', async () => {
    await run('true')
    for (let tries = 0; groupsLeft().length > 0 && tries < 200; tries++) await setTimeout(50)
    expect(groupsLeft()).toEqual([])
  })
})

describe.skipIf(noJail !== undefined)('a jail without a control group', () => {
  it.each(forkBombs.slice(0, 1))('contains processes that are started $what', async ({ script }) => {
    const { output, exceeded, reached } = await run(`${script}; kill -9 -1`, 'no groups')
    // Of root the system bounds no processes: the watch ends the jail.
    expect([output, exceeded, reached]).toEqual(isRoot ? ['', [tooMany], []] : ['survived\n', [], []])
  })

  it('contains what takes memory in one process', async () => {
    const { output, exceeded } = await run(memoryBomb, 'no groups')
    // The program fails, or the watch sees it just before and ends the jail.
    const failed = /memory exhausted\nended with 1\n$/.test(output) && exceeded.length === 0
    const ended = exceeded.length === 1 && exceeded[0]?.startsWith('limits.maxMemory was reached') === true
    expect({ output, exceeded, contained: failed || ended }).toMatchObject({ contained: true })
  })

  it('contains what takes memory in several processes', async () => {
    const { exceeded } = await run(
      'for i in 1 2 3; do { head -c 40M /dev/zero; sleep 20; } | tail -c 39M > /dev/null & done; wait',
      'no groups',
    )
    expect(exceeded).toEqual([expect.stringMatching(tooMuch)])
  })
})
