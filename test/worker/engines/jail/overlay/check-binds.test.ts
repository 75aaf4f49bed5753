import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { checkBinds } from '../../../../../worker/engines/jail/overlay/check-binds.ts'
import type { JailBind } from '../../../../../worker/engines/jail/overlay/jail-bind.ts'
import { Scratch } from '../../../host-files/scratch.ts'

const parent = realpathSync(tmpdir())

function bind(
  source: string,
  destination = '/work',
  mode: JailBind['mode'] = 'direct',
  readonly = false,
): JailBind {
  return { source, destination, mode, readonly }
}

describe('the binds of a jail', () => {
  it('have real paths', () => {
    using scratch = new Scratch(parent)
    scratch.file('d/f')
    scratch.link('l', 'd')
    expect(checkBinds([bind(scratch.at('l'))], [scratch.outside])).toEqual([bind(scratch.at('d'))])
    expect(checkBinds([bind(scratch.at('d/f'))], [])).toHaveLength(1)
  })

  it.each([
    ['/', /must not be \/: that is the whole host/],
    ['/proc/self', /what is in \/proc is no file of the user/],
    ['/sys', /what is in \/sys/],
    ['/dev', /what is in \/dev/],
    ['/run', /what is in \/run/],
    [parent, /keeps files of other sandboxes/],
  ])('are not of %s', (source, message) => {
    expect(() => checkBinds([bind(source)], [parent])).toThrow(message)
  })

  it.each(['/', '/proc', '/usr/local/x', '/etc/app', '/dev/x'])('are not at %s', (destination) => {
    using scratch = new Scratch(parent)
    expect(() => checkBinds([bind(scratch.bind, destination)], [])).toThrow(
      /^binds\[0\]\.destination must be a place of its own/,
    )
  })

  it('do not overlap where one would change another', () => {
    using scratch = new Scratch(parent)
    scratch.file('d/f')
    const inner = scratch.at('d')
    expect(() => checkBinds([bind(inner, '/w'), bind(inner, '/w/d')], [])).toThrow(
      'must not lie in that of binds[0]',
    )
    expect(() => checkBinds([bind(scratch.bind, '/w'), bind(inner, '/o', 'overlay')], [])).toThrow(
      'binds[1].source shares files with that of binds[0]',
    )
    expect(checkBinds([bind(inner, '/w', 'direct', true), bind(inner, '/o', 'overlay')], [])).toHaveLength(2)
    expect(() => checkBinds([bind(scratch.at('d/f'), '/w', 'overlay')], [])).toThrow('Bind its directory')
  })
})
