import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, renameSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { OverlayMounts, overlayFailure } from '../../../../../worker/engines/jail/overlay/overlay-mounts.ts'
import { Scratch } from '../../../host-files/scratch.ts'
import { noJail } from '../bare-jail.ts'

const parent = realpathSync(tmpdir())

describe.skipIf(noJail !== undefined)('the mounts of overlays', () => {
  it('are not made over a directory that was replaced by a link', () => {
    using scratch = new Scratch(parent)
    const room = `${scratch.root}/room`
    mkdirSync(room)
    const mounts = new OverlayMounts([{ source: scratch.bind, excluded: undefined }], {
      directory: room,
      size: 2 ** 20,
    })
    const { file, args } = mounts.wrap({ file: '/bin/echo', args: ['mounted'] })
    expect(spawnSync(file, args).stdout.toString()).toBe('mounted\n')
    renameSync(scratch.bind, `${scratch.root}/moved`)
    symlinkSync(scratch.outside, scratch.bind)
    const { status, stdout, stderr } = spawnSync(file, args)
    expect([status, stdout.toString()]).toEqual([125, ''])
    expect(overlayFailure(stderr.toString())?.data).toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'binds',
      message: expect.stringContaining(`${scratch.bind} is no longer the directory that it was`),
    })
    expect(overlayFailure('bwrap: something else')).toBeUndefined()
  })
})
