import { describe, expect, it } from 'vitest'
import { lexScript } from '../../../../../worker/engines/strands/guards/script-lexer.ts'

/** What the lexer hears in a script: commands, arguments and the rest, in short. */
function hear(script: string): string[] | null {
  const heard: string[] = []
  const text = (start: number, end: number) => script.slice(start, end)
  const sure = lexScript(script, {
    word: ({ role, start, end }) => heard.push(`${role}:${text(start, end)}`),
    redirect: (operator, descriptor) => heard.push(`redirect:${descriptor}${operator}`),
    separator: (separator) => heard.push(separator),
    continuation: () => heard.push('continuation'),
    hash: () => heard.push('hash'),
  })
  return sure ? heard : null
}

describe('the lexer', () => {
  it.each([
    ['a b', ['command:a', 'argument:b', ';']],
    ['x=1 a', ['assignment:x=1', 'command:a', ';']],
    ['a > f 2>&1', ['command:a', 'redirect:>', 'target:f', 'redirect:2>&', 'target:1', ';']],
    ['a #b\nc', ['command:a', '\n', 'command:c', ';']],
    ['if a; then b; fi', ['other:if', 'command:a', ';', 'other:then', 'command:b', ';', 'other:fi', ';']],
    [
      'for i in a b; do c; done',
      [
        'other:for',
        'other:i',
        'other:in',
        'item:a',
        'item:b',
        ';',
        'other:do',
        'command:c',
        ';',
        'other:done',
        ';',
      ],
    ],
    [
      'case a in b|c) d;; esac',
      [
        'other:case',
        'other:a',
        'other:in',
        'other:b',
        '|',
        'other:c',
        ';;',
        'command:d',
        ';;',
        'other:esac',
        ';',
      ],
    ],
    ['f() { a; }', ['command:f', '()', 'other:{', 'command:a', ';', 'other:}', ';']],
    [
      'a "$(b c)" d',
      ['command:a', '(', 'command:b', 'argument:c', ')', 'argument:"$(b c)"', 'argument:d', ';'],
    ],
    [`a $((1 > 2)) \${b:-c d}`, ['command:a', 'argument:$((1 > 2))', `argument:\${b:-c d}`, ';']],
    ['cat <<E\na > b\nE\nc', ['command:cat', 'redirect:<<', 'delimiter:E', '\n', 'command:c', ';']],
    ['a \\\nb', ['command:a', 'continuation', 'argument:b', ';']],
    ['a b#c', ['command:a', 'hash', 'argument:b#c', ';']],
    ['echo if $# "it\'s"', ['command:echo', 'argument:if', 'argument:$#', 'argument:"it\'s"', ';']],
  ])('hears %j', (script, heard) => {
    expect(hear(script)).toEqual(heard)
  })

  it.each([
    'echo "a',
    "echo 'a",
    'echo `a',
    'echo $(a',
    `echo \${a`,
    'echo $((1)',
    '(a',
    'a)',
    'a (b)',
    'a=(b c)',
    'a <(b)',
    "a $'b'",
    '[[ a > b ]]',
    'function f { a; }',
    'case a in b) c',
    'for',
    'a >',
    'a \\',
    'cat <<E',
    'cat <<$x\n$x',
    'x=$(cat <<E)\na\nE\n',
    `echo "\${x:-'a'}"`,
    'echo $(case a in b) c;; esac',
  ])('is not sure of %j', (script) => {
    expect(hear(script)).toBeNull()
  })

  it.each([
    ['$(', 100_000],
    ['$((', 100_000],
    [`\${a:-`, 100_000],
    ['(', 500_000],
    ['"$(', 300_000],
    ['case a in b) ', 100_000],
  ])('reads %j nested deeply without recursion', (piece, times) => {
    expect(lexScript(piece.repeat(times), {})).toBe(false)
  })
})
