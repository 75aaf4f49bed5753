import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { commandOfStream, commandOfWords } from '../../../src/cli/options/command-text.ts'

describe('commandOfWords', () => {
  test.each([
    [['ls | wc -l'], 'ls | wc -l'],
    [[''], ''],
    [['ls', '-l', '/tmp/a.b'], 'ls -l /tmp/a.b'],
    [['echo', 'a  b', "it's", '*', ''], `echo 'a  b' 'it'\\''s' '*' ''`],
    [['A=1', 'ls'], `'A=1' ls`],
    [['[', 'a', '=', ']'], `[ a '=' ']'`],
    [['echo', '~', '#x', '\n'], `echo '~' '#x' '\n'`],
  ])('makes of %j the command %j', (words, command) => {
    expect(commandOfWords(words)).toBe(command)
  })
})

describe('commandOfStream', () => {
  test('joins pieces in which a character is split', async () => {
    const [first, second] = [Buffer.from([0x78, 0xc3]), Buffer.from([0xbc])]
    expect(await commandOfStream(Readable.from([first, second]))).toBe('xü')
  })

  test('refuses what cannot be read', async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error('gone')) })
    await expect(commandOfStream(broken)).rejects.toMatchObject({
      exitCode: 125,
      message: 'the command could not be read from standard input: gone.',
    })
  })
})
