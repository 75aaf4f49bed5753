import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { ControlGroup } from '../../src/control-groups/control-group.ts'
import { findGroupParents, groupName } from '../../src/control-groups/group-parents.ts'
import { Scratch } from '../worker/host-files/scratch.ts'

const temporary = realpathSync(tmpdir())

/** A directory that looks like a group of version 2. @param passed - the controllers that it passes on; undefined: it takes none. */
function group(scratch: Scratch, rel: string, passed: string | undefined): string {
  const path = rel === '' ? scratch.bind : scratch.at(rel)
  mkdirSync(path, { recursive: true })
  writeFileSync(`${path}/cgroup.procs`, '')
  writeFileSync(`${path}/cgroup.controllers`, 'cpu memory pids\n')
  if (passed === undefined) mkdirSync(`${path}/cgroup.subtree_control`)
  else writeFileSync(`${path}/cgroup.subtree_control`, passed)
  return path
}

it('has a name that no other copy of this package in the process takes', async () => {
  const another = '../../src/control-groups/group-parents.ts?another'
  const copy: { groupName: typeof groupName } = await import(another)
  const names = Array.from({ length: 20 }, () => [groupName(), copy.groupName()]).flat()
  expect(new Set(names).size).toBe(40)
})

describe('the place of control groups of version 2', () => {
  it('is the group of this process where it may pass its controllers on', () => {
    using scratch = new Scratch(temporary)
    group(scratch, '', undefined)
    const own = group(scratch, 'service/own', 'cpu')
    expect(findGroupParents(scratch.bind, '0::/service/own\n')).toEqual({
      version: 2,
      pids: own,
      memory: own,
    })
    expect(readFileSync(`${own}/cgroup.subtree_control`, 'utf8')).toBe('+pids +memory')
  })

  it('is the group around it where it has processes of its own', () => {
    using scratch = new Scratch(temporary)
    group(scratch, '', undefined)
    const around = group(scratch, 'service', 'memory pids')
    group(scratch, 'service/own', undefined)
    expect(findGroupParents(scratch.bind, '0::/service/own\n')).toEqual({
      version: 2,
      pids: around,
      memory: around,
    })
  })

  it('is nowhere where no group takes it', () => {
    using scratch = new Scratch(temporary)
    group(scratch, '', undefined)
    expect(findGroupParents(scratch.bind, '0::/elsewhere\n')).toBeUndefined()
  })

  it('has groups with bounds', () => {
    using scratch = new Scratch(temporary)
    const own = group(scratch, '', 'memory pids')
    const made = new ControlGroup({ version: 2, pids: own, memory: own }, { processes: 7, memory: 4096 })
    const [directory = '', ...others] = made.directories
    expect(others).toEqual([])
    const bounds = ['pids.max', 'memory.max', 'memory.swap.max']
    expect(bounds.map((file) => readFileSync(`${directory}/${file}`, 'utf8'))).toEqual(['7', '4096', '0'])
    writeFileSync(`${directory}/pids.events`, 'max 3\n')
    writeFileSync(`${directory}/memory.events`, 'low 0\noom 4\noom_kill 2\n')
    expect(made.events).toEqual({ refused: 3, killed: 2 })
  })
})

const parents = findGroupParents()

describe.skipIf(parents === undefined)('a group that was left by a process which has ended', () => {
  it('is removed by the next one', () => {
    const parent = parents?.memory ?? parents?.pids
    const left = `${parent}/strands-jail-${2 ** 30}-1-0-1`
    mkdirSync(left)
    findGroupParents()
    expect(existsSync(left)).toBe(false)
  })
})
