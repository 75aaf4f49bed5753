import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEngines, type HostedEngine } from '../support/describe-engines.ts'
import type { EngineSandbox } from '../support/engines.ts'
import { cases } from '../support/tier.ts'
import { bytesOf, result } from './support/expected.ts'

describeEngines('output', output)

function output(engine: HostedEngine): void {
  it('output up to limits.maxOutput is complete, without a notice', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 1000 } })
    const text = `${'x'.repeat(999)}\n`
    await sandbox.writeText('/tmp/text', text)
    expect(await sandbox.execute('cat /tmp/text')).toEqual(result({ stdout: text }))
  })

  it('output over limits.maxOutput is cut there, and standard error says so with both sizes', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 1000 } })
    const text = 'x'.repeat(2345)
    await sandbox.writeText('/tmp/text', text)
    const cut = await sandbox.execute('cat /tmp/text')
    expect(cut).toEqual(
      result({ stdout: text.slice(0, 1000), stderr: cut.stderr, truncated: { stdout: 1345 } }),
    )
    expectNotice(cut.stderr, 1000, 2345)
  })

  it('a loop’s output over the cap is cut the same way, and the command runs to its end', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 1000 } })
    const cut = await sandbox.execute(
      'i=0; while [ $i -lt 500 ]; do echo 123456789; i=$((i+1)); done; echo x > /tmp/end; exit 3',
    )
    const stdout = '123456789\n'.repeat(100)
    expect(cut).toEqual(result({ exitCode: 3, stdout, stderr: cut.stderr, truncated: { stdout: 4000 } }))
    expectNotice(cut.stderr, 1000, 5000)
    expect(await sandbox.readText('/tmp/end')).toBe('x\n')
  })

  it('standard error over the cap is cut, and says so after what it kept', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 1000 } })
    const text = 'e'.repeat(2345)
    await sandbox.writeText('/tmp/text', text)
    const cut = await sandbox.execute('cat /tmp/text >&2; echo out')
    expect(cut).toEqual(result({ stdout: 'out\n', stderr: cut.stderr, truncated: { stderr: 1345 } }))
    expect(cut.stderr.startsWith('e'.repeat(500))).toBe(true)
    expect(cut.stderr).not.toContain('e'.repeat(1001))
    expectNotice(cut.stderr, 1000, 2345)
  })

  it('what the command itself wrote to standard error stays beside the notice', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 1000 } })
    await sandbox.writeText('/tmp/text', 'x'.repeat(2345))
    const cut = await sandbox.execute('echo mine >&2; cat /tmp/text')
    expect(cut.stdout).toBe('x'.repeat(1000))
    expect(cut.stderr.startsWith('mine\n')).toBe(true)
    expectNotice(cut.stderr.slice('mine\n'.length), 1000, 2345)
  })

  it('the cap holds for code and for scoped calls', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 1000 } })
    const outcomes = [
      await sandbox.executeCode(engine.language.printTimes('x', 2345), engine.language.name),
      await sandbox.execute(`printf '%s' '${'x'.repeat(2345)}'`, { cwd: '/tmp' }),
    ]
    for (const cut of outcomes) {
      expect(cut).toEqual(
        result({ stdout: 'x'.repeat(1000), stderr: cut.stderr, truncated: { stdout: 1345 } }),
      )
      expectNotice(cut.stderr, 1000, 2345)
    }
  })

  it('the default cap holds where none is given', async () => {
    const sandbox = await engine.open()
    const cap = engine.maxOutput
    await sandbox.writeFile('/tmp/text', new Uint8Array(cap + 1).fill(0x61))
    const cut = await sandbox.execute('cat /tmp/text')
    expect(cut.stdout.length).toBe(cap)
    expectNotice(cut.stderr, cap, cap + 1)
    expect(await sandbox.execute('echo works')).toEqual(result({ stdout: 'works\n' }))
  })

  it('a cut never splits a character, and keeps the session', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 100 } })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'é', '漢', '😀', '\n'), { minLength: 60, maxLength: 150 }),
        async (characters) => {
          const text = characters.join('')
          const size = bytesOf(text).length
          const { stdout, stderr } = await print(sandbox, text)
          expect(text.startsWith(stdout)).toBe(true)
          expect(stdout.isWellFormed()).toBe(true)
          const kept = bytesOf(stdout).length
          if (size <= 100) expect([kept, stderr]).toEqual([size, ''])
          else expect([kept > 96 && kept <= 100, stderr !== '']).toEqual([true, true])
        },
      ),
      { numRuns: cases(20) },
    )
    expect(sandbox.generation).toBe(1)
  })

  it('large output under a large cap is complete', async () => {
    const sandbox = await engine.open({ limits: { maxOutput: 8 * 1024 * 1024 } })
    const text = 'é'.repeat(2 * 1024 * 1024)
    await sandbox.writeText('/tmp/text', text)
    const whole = await sandbox.execute('cat /tmp/text')
    expect([whole.exitCode, whole.stdout === text, whole.stderr]).toEqual([0, true, ''])
  })
}

async function print(sandbox: EngineSandbox, text: string) {
  await sandbox.writeText('/tmp/text', text)
  return sandbox.execute('cat /tmp/text')
}

/** A notice is one line that names what was kept and what there was, in bytes. */
function expectNotice(stderr: string, cap: number, size: number): void {
  expect(stderr).toMatch(/\n$/)
  const notice = stderr.trimEnd().split('\n').at(-1) ?? ''
  expect(notice.match(/\d+/g)?.map(Number)).toEqual(expect.arrayContaining([cap, size]))
}
