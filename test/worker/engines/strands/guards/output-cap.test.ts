import { describe, expect, it } from 'vitest'
import type { CommandOutput } from '../../../../../src/contract/shell-api.ts'
import { engineMaxOutput } from '../../../../../worker/engines/strands/guards/engine-limits.ts'
import { capOutput } from '../../../../../worker/engines/strands/guards/output-cap.ts'
import { Engine, printed } from './engine.ts'

const MIB = 2 ** 20
const facts = { timedOut: false, truncated: false as const, durationMs: 1 }
const output = (
  stdout: string,
  stderr = '',
  truncated: CommandOutput['truncated'] = false,
): CommandOutput => ({
  exitCode: 3,
  stdout,
  stderr,
  ...facts,
  truncated,
})
const note = (stream: string, kept: number, size: number | string) =>
  `strands-shell: ${stream} truncated: kept ${kept} of ${size} bytes (limits.maxOutput)\n`

describe('output over the cap', () => {
  it('comes back empty or ends the session when the engine alone cuts it', async () => {
    await using engine = Engine.start()
    const shell = await engine.shell(['maxOutput', 1000])
    await shell.writeFile('/tmp/long', Buffer.from('a'.repeat(2000)))
    expect(await shell.run('cat /tmp/long')).toMatchObject({ stdout: '' })
    expect(await shell.run('echo 1; cat /tmp/long; echo 2')).toEqual(printed('1\n2\n'))
    await shell.writeFile('/tmp/half', Buffer.from('a'.repeat(600)))
    expect(await shell.run('cat /tmp/half; cat /tmp/half')).toMatchObject({
      stdout: 'a'.repeat(1000),
      stderr: 'strands-shell: output size limit exceeded\n',
    })
    await shell.writeFile('/tmp/accents', Buffer.from(`${'é'.repeat(400)}a`))
    await expect(shell.run('cat /tmp/accents; cat /tmp/accents')).rejects.toThrow('panicked')
  })

  it('is left to us by an engine with a higher cap', async () => {
    await using engine = Engine.start()
    const shell = await engine.shell(['maxOutput', engineMaxOutput(1000)])
    await shell.writeFile('/tmp/accents', Buffer.from(`a${'é'.repeat(1000)}`))
    const { status, stdout, stderr } = await shell.run('cat /tmp/accents')
    expect(capOutput({ ...facts, exitCode: status, stdout, stderr }, 1000)).toEqual({
      ...facts,
      exitCode: 0,
      stdout: `a${'é'.repeat(499)}`,
      stderr: note('stdout', 999, 2001),
      truncated: { stdout: 1002 },
    })
  })

  it.each([
    [output('abc'), 3],
    [output('', 'abc'), 3],
    [output('€€'), 6],
    [output('😀'), 4],
  ])('that just fits comes back as it is: %j', (fitting, maxOutput) => {
    expect(capOutput(fitting, maxOutput)).toBe(fitting)
  })

  it.each([
    ['abcd', 3, 'abc', 4],
    ['€€', 5, '€', 6],
    ['a😀', 4, 'a', 5],
    ['😀😀', 7, '😀', 8],
    ['😀', 1, '', 4],
  ])('%j is cut at %d bytes between characters', (stdout, maxOutput, kept, size) => {
    expect(capOutput(output(stdout), maxOutput)).toEqual(
      output(kept, note('stdout', Buffer.byteLength(kept), size), { stdout: size - Buffer.byteLength(kept) }),
    )
  })

  it('is said of both streams, after what stderr held', () => {
    expect(capOutput(output('abcd', 'wxyz'), 2)).toEqual(
      output('ab', `wx\n${note('stdout', 2, 4)}${note('stderr', 2, 4)}`, { stdout: 2, stderr: 2 }),
    )
    expect(capOutput(output('abcd', 'w\n'), 2).stderr).toBe(`w\n${note('stdout', 2, 4)}`)
  })

  it('says "more than" where even the engine had to cut, in our words only', () => {
    const most = engineMaxOutput(10)
    const repeated = 'strands-shell: output size limit exceeded\n'.repeat(3)
    const { stdout, stderr } = capOutput(output('a'.repeat(most), `why\n${repeated}`), 100)
    expect(stdout).toBe('a'.repeat(100))
    expect(stderr).toBe(`why\n${note('stdout', 100, `more than ${most}`)}`)
  })
})

describe('the cap of the engine', () => {
  it.each([
    [1000, 64 * MIB],
    [MIB, 64 * MIB],
    [48 * MIB, 96 * MIB],
    [2 ** 31, 0x1fff_ffe8],
  ])('for a cap of %d bytes is %d', (maxOutput, most) => {
    expect(engineMaxOutput(maxOutput)).toBe(most)
  })
})
