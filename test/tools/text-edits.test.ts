import { describe, expect, it } from 'vitest'
import { insertAfter, replaceUnique } from '../../src/tools/text-edits.ts'

describe('replacing', () => {
  it('puts one text in the place of another that is there once', () => {
    expect(replaceUnique('one\ntwo\nthree\n', 'two', '2\n2')).toEqual({
      text: 'one\n2\n2\nthree\n',
      first: 2,
      last: 3,
    })
  })

  it('takes the new text literally', () => {
    expect(replaceUnique('a.b', '.', '$&$1').text).toBe('a$&$1b')
  })

  it('of nothing removes', () => {
    expect(replaceUnique('one\ntwo\n', 'one\n', '')).toEqual({ text: 'two\n', first: 1, last: 1 })
  })

  it('names the lines of several matches', () => {
    expect(() => replaceUnique('a\nb\na\na', 'a', 'x')).toThrow(
      'old_str is there 3 times, in lines 1, 3, 4: nothing was changed. Add lines around it until it is there once.',
    )
    expect(() => replaceUnique('a\n'.repeat(200), 'a', 'x')).toThrow(
      'at least 100 times, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more:',
    )
  })

  it('counts matches that overlap', () => {
    expect(() => replaceUnique('aaa', 'aa', 'x')).toThrow('old_str is there 2 times, in lines 1, 1:')
  })

  it('shows what differs in white space alone', () => {
    expect(() => replaceUnique('if x:\n\treturn  1 \n', 'if x:\n    return 1', 'y')).toThrow(
      'Line 1 has it with other white space (indentation, tabs, spaces at the end of a line). Copy it as it is:\nif x:\n\treturn  1 ',
    )
  })

  it('says where only the first line fits', () => {
    expect(() => replaceUnique('a\nfn()\nb\n', '  fn()\nc', 'y')).toThrow(
      'Line 2 has its first line, but what follows differs. View the file from there.',
    )
  })

  it('says that nothing fits', () => {
    expect(() => replaceUnique('a\n', 'b', 'y')).toThrow(
      'old_str is not in the file: nothing was changed. View the file and copy the text as it is.',
    )
  })

  it('refuses what changes nothing', () => {
    expect(() => replaceUnique('a', '', 'y')).toThrow('old_str is empty.')
    expect(() => replaceUnique('a', 'a', 'a')).toThrow('old_str and new_str are the same')
  })

  it('looks for what comes near only as long as that is quick', () => {
    const start = performance.now()
    expect(() => replaceUnique('x\n'.repeat(120_000), `${'x\n'.repeat(60_000)}y\n`, 'z')).toThrow(
      expect.objectContaining({ code: 'NO_MATCH' }),
    )
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('finds lines in a file with CRLF, and leaves it with CRLF', () => {
    expect(replaceUnique('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny').text).toBe('x\r\ny\r\nc\r\n')
    expect(replaceUnique('a\r\nb\r\n', 'a', 'x\ny').text).toBe('x\r\ny\r\nb\r\n')
    expect(replaceUnique('a\r\nb\n', 'a', 'x\ny').text).toBe('x\ny\r\nb\n')
  })
})

describe('inserting', () => {
  it('puts lines after a line', () => {
    expect(insertAfter('one\ntwo\n', 1, 'new')).toEqual({ text: 'one\nnew\ntwo\n', first: 2, last: 2 })
    expect(insertAfter('one\ntwo\n', 0, 'a\nb\n')).toEqual({ text: 'a\nb\none\ntwo\n', first: 1, last: 2 })
    expect(insertAfter('one\ntwo\n', 2, 'new').text).toBe('one\ntwo\nnew\n')
  })

  it('ends a last line that does not end', () => {
    expect(insertAfter('one', 1, 'new')).toEqual({ text: 'one\nnew\n', first: 2, last: 2 })
  })

  it('begins an empty file', () => {
    expect(insertAfter('', 0, 'new')).toEqual({ text: 'new\n', first: 1, last: 1 })
  })

  it('keeps CRLF', () => {
    expect(insertAfter('a\r\nb', 2, 'x\ny').text).toBe('a\r\nb\r\nx\r\ny\r\n')
  })

  it('refuses a line that is not there', () => {
    expect(() => insertAfter('one\n', 2, 'x')).toThrow(
      'insert_line is 2, but the file has 1 line: give 0 to 1.',
    )
  })
})
