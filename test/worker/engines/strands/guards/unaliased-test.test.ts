import { describe, expect, it } from 'vitest'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'

describe('[ and test where aliases do not act', () => {
  it.each([
    ['x=$([ a = b ])', 'x=$(__ssr_bracket a = b ])'],
    ['echo "$(true; test a)"', 'echo "$(true; __ssr_test a)"'],
    ['case x in x) [ a ];; esac', 'case x in x) __ssr_bracket a ];; esac'],
    ['x=1 [ a ]', 'x=1 __ssr_bracket a ]'],
    ['>f test a', '>f __ssr_test a'],
    ['x=$( (cd /; [ a ]) )', 'x=$( (cd /; __ssr_bracket a ]) )'],
    ["'[' a = ]", '__ssr_bracket a = ]'],
    ['\\[ a = ]', '__ssr_bracket a = ]'],
    ["te''st a =", '__ssr_test a ='],
    ['command [ a = ]', '__ssr_bracket a = ]'],
    ['unalias -a; [ a = ]', 'unalias -a; __ssr_bracket a = ]'],
  ])('calls the guard by name in %j', (command, rewritten) => {
    expect(rewriteCommand(command)).toBe(rewritten)
  })

  it.each([
    '[ a ]',
    'if [ a ]; then test b; fi',
    'x=1; [ a ]',
    'echo "$(echo [ a ])"',
    "echo '[' a ]",
    'x=$(echo test)',
  ])('leaves %j to the alias', (command) => {
    expect(rewriteCommand(command)).toBe(command)
  })
})
