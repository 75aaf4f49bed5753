import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byTier, isFull } from '../../../../support/tier.ts'
import { Engine, printed } from './engine.ts'
import { bracketed, dashStatuses, expressions } from './test-expressions.ts'

/** A comparison of two words as numbers, and one of two numbers. */
const COMPARED = /^\[ '[^']*' '-(?:eq|ne|lt|le|gt|ge)' '[^']*' \]$/
/** An expression whose left operand is a sign, which the engine alone takes for the beginning of another one. */
const SIGNED = /^\[ '[(!]' (?:'!?=' '[^']*' )?\]$|^\[ '!' '\(' (?:'!?=' '[^']*' )?\]$/
const NUMBERS = /^\[ '\d+' '-\w+' '\d+' \]$/

describe('[ and test without their last operand', () => {
  let engine: Engine
  beforeAll(() => {
    engine = Engine.start()
  })
  afterAll(() => engine.stop())

  const refused = (name: string, operator: string) => ({
    status: 2,
    stdout: '',
    stderr: `strands-shell: ${name}: ${operator}: argument expected\n`,
  })

  it.each([
    ['[ a = ]', refused('[', '=')],
    ['x=1; [ "$x" = $UNSET ]', refused('[', '=')],
    ['[ 1 -eq ]', refused('[', '-eq')],
    ['[ ! a != ]', refused('[', '!=')],
    ['[ a = a -a b "<" ]', refused('[', '<')],
    ['test a =', refused('test', '=')],
    ['[ a =', { status: 2, stdout: '', stderr: 'strands-shell: [: missing ]\n' }],
    ['[ -n = ]', printed('')],
    ['[ ! -z "=" ]', printed('')],
    ['[ a -a -n -eq ]', printed('')],
  ])('answers %j, where the engine alone panics', async (command, answer) => {
    expect(await engine.raw(command)).toBe('panic')
    expect(await engine.guarded(command)).toEqual(answer)
  })

  it.each([
    'f() { [ a = $UNSET ]; }; f',
    'if true; then [ a = ]; fi',
    '(x=1; [ a = ])',
    'eval "[ a = ]"',
    'set -u; [ a = ]',
    'set -e; [ a = ]; echo on',
    'IFS=; [ a = ]',
    'IFS=,; [ a = ]',
    'unset IFS; [ a = ]',
    'set -- p q; [ a = ]',
    'case x in x) [ a = ];; esac',
    'x=1 [ a = ]',
    '>/tmp/f [ a = ]',
    'true && [ a = ]',
  ])('answers in %j', async (command) => {
    expect(await engine.raw(command)).toBe('panic')
    expect(await engine.guarded(command)).toEqual(refused('[', '='))
  })

  it.each([
    ['[ "a = " ] && [ "=" ] && echo ok', 'ok\n'],
    ['[ "=" = "=" ] && [ "x=" != "=" ] && echo ok', 'ok\n'],
    ['set -- p "q r"; [ "$2" = "q r" ] && echo "$# $1"', '2 p\n'],
    ['set -e; [ a = b ] || echo no; echo on', 'no\non\n'],
    ['(exit 7); [ $? -eq 7 ] && echo seven', 'seven\n'],
    ['IFS=:; x=a:b; [ "$x" = a:b ] && echo ok', 'ok\n'],
    ['__ssr_last=mine; [ a = ] 2>/dev/null; echo $__ssr_last', 'mine\n'],
    ['i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i', '3\n'],
    ['echo "$([ a = ] 2>/dev/null; echo $?)"', '2\n'],
  ])('%j works as ever', async (command, stdout) => {
    const output = await engine.guarded(command)
    expect(output).toMatchObject({ status: 0, stdout })
  })

  it('answers every expression as the engine alone does, those that begin with a sign as dash does, and panics at none', async () => {
    const all = expressions().map(bracketed)
    // Every expression in the full tier, one in ten in the default tier.
    const commands = all.filter((_, index) => isFull || index % 10 === 0)
    const dash = dashStatuses(commands)
    const guarded = await engine.guardedShell()
    let alone = await engine.shell()
    let panics = 0
    const wrong: unknown[] = []
    for (const [index, command] of commands.entries()) {
      const { status } = await guarded.run(command)
      const expected = await alone.run(command).catch(() => null)
      if (expected === null) {
        panics++
        alone = await engine.shell()
        if (status !== 2 && status !== (dash?.[index] ?? status)) wrong.push([command, status, dash?.[index]])
      } else if (COMPARED.test(command)) {
        // The engine takes text for 0.
        if (status !== (NUMBERS.test(command) ? expected.status : 2))
          wrong.push([command, status, expected.status])
      } else if (SIGNED.test(command)) {
        if (status !== (dash?.[index] ?? status)) wrong.push([command, status, dash?.[index]])
      } else if (status !== expected.status) wrong.push([command, status, expected.status])
    }
    expect(all.length).toBeGreaterThan(5000)
    expect(panics).toBeGreaterThan(byTier({ default: 40, full: 400 }))
    expect(wrong).toEqual([])
  })
})
