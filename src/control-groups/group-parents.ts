import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** Directories of control groups in which groups for jails can be made. In version 2 it is one for all. */
export interface GroupParents {
  readonly version: 1 | 2
  /** Where the number of processes is bounded; undefined where it cannot be. */
  readonly pids: string | undefined
  readonly memory: string | undefined
}

const CONTROLLERS = ['pids', 'memory'] as const
type Controller = (typeof CONTROLLERS)[number]

/** What the names of the groups begin with. */
const prefix = 'strands-jail-'
/** Milliseconds after which a group without processes is one that was left: a jail joins its group at once. */
const LEFT = 60_000

let known: GroupParents | null | undefined

/** {@link findGroupParents} on this machine, once a thread. */
export function systemGroupParents(): GroupParents | undefined {
  known ??= findGroupParents() ?? null
  return known ?? undefined
}

/** The name of a new group: a counter would not tell two copies of this package in a process apart. */
export function groupName(): string {
  return `${prefix}${process.pid}-${startOf(process.pid)}-${randomBytes(6).toString('hex')}`
}

/**
 * Where groups can be made: in the group of this process, in the one that it is in, or in the topmost one.
 *
 * @param root - where control groups are mounted. @param own - `/proc/self/cgroup`
 * @returns undefined where nothing can be bounded
 */
export function findGroupParents(root = '/sys/fs/cgroup', own = ownGroups()): GroupParents | undefined {
  const parents = exists(join(root, 'cgroup.controllers')) ? unified(root, own) : byController(root, own)
  if (parents === undefined || (parents.pids === undefined && parents.memory === undefined)) return undefined
  for (const parent of new Set([parents.pids, parents.memory])) if (parent !== undefined) sweep(parent)
  return parents
}

function unified(root: string, own: string): GroupParents | undefined {
  const path = /^0::(\/.*)$/m.exec(own)?.[1] ?? '/'
  for (const at of [path, join(path, '..'), '/']) {
    const parent = join(root, at)
    const passed = passOn(parent)
    if (passed.length === 0) continue
    const where = (name: Controller) => (passed.includes(name) ? parent : undefined)
    return { version: 2, pids: where('pids'), memory: where('memory') }
  }
  return undefined
}

/** Has a group bound what is in it: this fails where it has processes of its own, but for the topmost one. @returns by which means it does */
function passOn(directory: string): readonly Controller[] {
  if (!canFill(directory)) return []
  const there = readWords(join(directory, 'cgroup.controllers'))
  const wanted = CONTROLLERS.filter((name) => there.includes(name))
  const passed = readWords(join(directory, 'cgroup.subtree_control'))
  const missing = wanted.filter((name) => !passed.includes(name))
  if (missing.length === 0) return wanted
  try {
    writeFileSync(join(directory, 'cgroup.subtree_control'), missing.map((name) => `+${name}`).join(' '))
    return wanted
  } catch {
    return [] // It has processes of its own, or is not for this user.
  }
}

function byController(root: string, own: string): GroupParents {
  const find = (controller: string) => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(/.*)$`, 'm').exec(own)?.[1] ?? '/'
    return [path, '/'].map((at) => join(root, controller, at)).find(canFill)
  }
  return { version: 1, pids: find('pids'), memory: find('memory') }
}

/** Whether groups can be made in a group: it is tried, since a file system may be read-only. */
function canFill(directory: string): boolean {
  const probe = join(directory, groupName())
  try {
    accessSync(join(directory, 'cgroup.procs'), constants.W_OK)
    mkdirSync(probe)
    rmdirSync(probe)
    return true
  } catch {
    return false // There is no such group, or it is not for this user.
  }
}

/** Removes groups that were left by processes which ended before they could. One with processes cannot be removed. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid, start] = /^strands-jail-(\d+)-(\d+)-/.exec(name) ?? []
    if (pid === undefined) continue
    try {
      const isOwned = startOf(Number(pid)) === start
      const isYoung = isOwned && Date.now() - statSync(join(parent, name)).mtimeMs < LEFT
      if (!isYoung) rmdirSync(join(parent, name))
    } catch {
      // It has processes, or another one has removed it.
    }
  }
}

/** When a process began, in ticks since the machine did; empty where there is none. */
function startOf(pid: number): string {
  // The name of the program may hold blanks and parentheses.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return fields[19] ?? ''
}

function ownGroups(): string {
  return read('/proc/self/cgroup')
}

function readWords(path: string): string[] {
  return read(path).split(/\s+/)
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // Nothing is there: whoever asks finds none of what it looks for.
  }
}
