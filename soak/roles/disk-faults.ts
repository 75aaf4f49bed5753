import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import type { HostedSandbox } from '../../src/index.ts'
import { empty, fill, mountSmallDisk, remount } from '../../test/faults/small-disk.ts'
import { ActionEnded, type Plan } from '../action.ts'
import type { SoakHost } from '../shells/shell.ts'
import { demand, demandSame } from '../violation.ts'
import { aloneAtRest, type Place, wordOf } from './shortage.ts'

/** What a disk does to what is written, and how calls tell of it. */
interface DiskFault {
  readonly strike: (disk: string) => void
  readonly lift: (disk: string) => void
  /** What `writeText()` may reject with. */
  readonly refusals: readonly string[]
}

const full: DiskFault = { strike: fill, lift: empty, refusals: ['IO_ERROR', 'MIRROR_FAILED'] }

const readOnly: DiskFault = {
  strike: (disk) => remount(disk, 'ro'),
  lift: (disk) => remount(disk, 'rw'),
  refusals: ['PERMISSION_DENIED', 'MIRROR_FAILED'],
}

/** The disk of a bind and of temporary files is full. */
export const fullDisk: Plan<Place> = () => ({
  text: 'fill a disk',
  perform: (place) => duringFault(place, full),
})

/** The disk of a bind and of temporary files can be written no more. */
export const readOnlyDisk: Plan<Place> = () => ({
  text: 'have a disk be read-only',
  perform: (place) => duringFault(place, readOnly),
})

/**
 * Has a sandbox write to a disk that takes nothing, and a new host open one whose temporary files are on it, while no actor
 * acts. All of it works afterwards.
 */
function duringFault(place: Place, fault: DiskFault): Promise<void> {
  const { context, level } = place
  return aloneAtRest(place, async () => {
    const disk = join(context.directory, `disk-${level.isolation}`)
    mkdirSync(disk)
    try {
      mountDisk(disk)
      try {
        await strike(place, disk, fault)
      } finally {
        execFileSync('umount', ['-l', disk])
      }
    } finally {
      rmdirSync(disk)
    }
  })
}

async function strike(place: Place, disk: string, fault: DiskFault): Promise<void> {
  const { level } = place
  const before = await openOn(level.host, disk)
  fault.strike(disk)
  const command = await wordOf(before.execute('printf text > /work/a'))
  const call = await wordOf(before.writeText('/work/b', 'text').then(() => undefined))
  const opening = await openElsewhere(place, disk)
  fault.lift(disk)
  demand(
    command === 'status 1' || command === 'MIRROR_FAILED',
    () => `a command that writes came to ${command}`,
  )
  demand(fault.refusals.includes(call), () => `a call that writes came to ${call}`)
  demand(opening === 'done' || opening === 'IO_ERROR', () => `an opening came to ${opening}`)
  for (const sandbox of [before, await openOn(level.host, disk)]) {
    const words = [
      await wordOf(sandbox.execute('printf text > /work/a')),
      await wordOf(sandbox.writeText('/work/b', 'text').then(() => undefined)),
    ]
    demandSame(words, ['done', 'done'], 'what writes come to afterwards')
    const texts = ['a', 'b'].map((name) => readFileSync(join(disk, name), 'utf8'))
    demandSame(texts, ['text', 'text'], 'what the host has afterwards')
    await sandbox.close()
  }
  demandSame(await openElsewhere(place, disk), 'done', 'what an opening comes to afterwards')
}

function openOn(host: SoakHost, source: string): Promise<HostedSandbox> {
  return host.open({ binds: [{ source, destination: '/work' }] })
}

/** How an opening goes in a new worker or cell, whose temporary files are on the disk. */
async function openElsewhere({ context, level }: Place, disk: string): Promise<string> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = disk
  const host = context.openHost({ isolation: level.isolation, hardening: 'none' })
  try {
    return await wordOf(openOn(host, disk).then((sandbox) => sandbox.execute('true')))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await context.closeHost(host, 0)
  }
}

/** @throws {ActionEnded} where this process may not mount anything */
function mountDisk(at: string): void {
  try {
    mountSmallDisk(at)
  } catch {
    throw new ActionEnded('nothing can be mounted here')
  }
}
