import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'
import { Engine } from './engine.ts'

const HOST = 'print("from the host")'

describe('lua without a script', () => {
  let engine: Engine
  beforeAll(() => {
    engine = Engine.start()
  })
  afterAll(() => engine.stop())

  const refused = (status: number, stderr: string) => ({ status, stdout: '', stderr: `lua: ${stderr}\n` })
  const noScript = refused(1, 'expected a script: lua FILE, lua -e CODE, or a script on standard input')
  const notInteractive = refused(1, 'interactive mode is not available')

  it.each(['lua', 'lua --', 'true; lua', 'if lua; then :; fi', 'echo "$(lua)"', 'lua -i', 'lua -i x.lua'])(
    'the engine alone runs the standard input of the host process for %j',
    async (command) => {
      await using host = Engine.start(HOST)
      await host.raw(command)
      expect(host.strayOutput).toBe('from the host\n')
    },
  )

  it.each([
    'lua',
    'lua --',
    'true; lua',
    'lua > /tmp/out',
    'f() { lua; }; f',
    'command lua',
    '\\lua',
    "l''ua",
    '"lua"',
    'lua $NONE',
    'set --; lua "$@"',
  ])('%j is an error', async (command) => {
    await using host = Engine.start(HOST)
    expect(await host.guarded(command)).toEqual(noScript)
  })

  it.each(['lua -i', 'lua -i x.lua', 'lua -i < x.lua'])('%j is an error', async (command) => {
    await using host = Engine.start(HOST)
    expect(await host.guarded(command)).toEqual(notInteractive)
  })

  it.each([
    ["echo 'print(1)' | lua", '1\n'],
    ["echo 'print(2)' > /tmp/x; lua < /tmp/x", '2\n'],
    ['lua <<E\nprint(3)\nE', '3\n'],
    ["f() { lua; }; echo 'print(4)' | f", '4\n'],
    ["{ lua; } < /tmp/none; echo 'print(5) os.exit(3)' | lua; echo $?", '5\n3\n'],
    ["lua -e 'print(6)' > /tmp/o; cat /tmp/o", '6\n'],
    ["echo 'print(8)' > /tmp/x; f=/tmp/x; lua $f > /tmp/o; cat /tmp/o", '8\n'],
    ["echo 'print(9)' > /tmp/x; f=/tmp/x; lua $f | cat", '9\n'],
    ["echo 'print(arg[1])' > /tmp/x; f=/tmp/x; lua $f 'a b'", 'a b\n'],
    ["echo 'print(7)' > /tmp/x; lua /tmp/x; ls /tmp", '7\nx\n'],
  ])('%j runs the script', async (command, stdout) => {
    expect(await engine.guarded(command)).toMatchObject({ status: 0, stdout })
  })

  it.each([
    'echo lua',
    'lua x.lua',
    'echo 1 | lua',
    'lua < x',
    'lua <<E\nx\nE',
    '# lua',
    'lua() { :; }',
    'lua $f > x',
  ])('leaves %j as it is', (command) => {
    expect(rewriteCommand(command)).toBe(command)
  })
})
