import { describe, expect, it } from 'vitest'
import { commandLines, runScript } from '../../../../../worker/engines/strands/mirror/sandbox/script.ts'
import type { NativeShell } from '../../../../../worker/engines/strands/native-shell.ts'
import { quoted } from '../../../../../worker/engines/strands/quoting.ts'
import { newShell } from '../../../../mirror-model/direct-session.ts'

const NAMES = ["it's", 'a\r\nb', '$HOME', '`id`', 'a\nb', '\\', "'", '', '*', '日本']

async function shell(): Promise<NativeShell> {
  return newShell()
}

describe('runScript', () => {
  it('returns what the commands print, for any text in the words', async () => {
    const lines = NAMES.map((name) => `'echo' ${quoted(name)}`)
    expect(await runScript(await shell(), lines)).toBe(NAMES.map((name) => `${name}\n`).join(''))
  })

  it('does not depend on functions, aliases, flags or the current directory', async () => {
    const session = await shell()
    await session.run('ls() { echo no; }; rm() { echo no; }; touch() { :; }; find() { echo no; }')
    await session.run("alias ls='echo no'; set -eu; cd /tmp; echo x > /tmp/f")
    expect(await runScript(session, ["'ls' '/tmp'", "'touch' '/tmp/g'", "'false'", "'rm' '/tmp/f'"])).toBe(
      'f\n',
    )
    expect((await session.run('pwd; echo /tmp/*; ls')).stdout).toBe('/tmp\n/tmp/g\nno\n')
  })

  it('returns undefined when the engine stopped it before its end', async () => {
    const session = await newShell((builder) => builder.timeout(0.2))
    expect(await runScript(session, ["'echo' 'a'", 'while true; do :; done'])).toBeUndefined()
  })
})

it('commandLines puts a number of words in each line', () => {
  expect(commandLines("'rm'", ['a', "b'c", 'd'], 2)).toEqual(["'rm' 'a' 'b'\\''c'", "'rm' 'd'"])
  expect(commandLines("'rm'", [])).toEqual([])
})
