import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BashSandbox } from '../../../src/bash/index.ts'
import { complete } from '../../../src/cli/repl/completion.ts'
import { StrandsShellSandbox } from '../../../src/index.ts'

let sandbox: StrandsShellSandbox
beforeAll(async () => {
  sandbox = await StrandsShellSandbox.open()
  await sandbox.execute(
    'mkdir -p /tmp/c/docs && cd /tmp/c && touch "a b" "it\'s" data.txt .hidden data.json ü',
  )
  await sandbox.writeText('/tmp/c/docs/one', '')
})
afterAll(() => sandbox.close())

describe('complete', () => {
  test.each([
    ['mkt', ['mktemp '], 'mkt'],
    ['ls | so', ['sort '], 'so'],
    ['if true; then ech', ['echo '], 'ech'],
    ['unal', ['unalias '], 'unal'],
    ['x=$(base', ['basename '], 'base'],
    ['mk', ['mkdir', 'mktemp'], 'mk'],
    ['cat da', ['data.json', 'data.txt'], 'da'],
    ['cat data.t', ['data.txt '], 'data.t'],
    ['cat a', ['a\\ b '], 'a'],
    ['cat a\\ ', ['a\\ b '], 'a\\ '],
    ['cat "a', ['"a b" '], '"a'],
    ["cat 'i", [], "'i"],
    ['cat i', ["it\\'s "], 'i'],
    ['cat ü', ['ü '], 'ü'],
    ['cat .h', ['.hidden '], '.h'],
    ['cat doc', ['docs/'], 'doc'],
    ['cat docs/', ['docs/one '], 'docs/'],
    ['cat > doc', ['docs/'], 'doc'],
    ['./doc', ['./docs/'], './doc'],
    ['cat /tmp/c/do', ['/tmp/c/docs/'], '/tmp/c/do'],
    ['cat nothing', [], 'nothing'],
    ['cat /nowhere/x', [], '/nowhere/x'],
  ])('of %j offers %j', async (line, candidates, word) => {
    expect(await complete(line, sandbox)).toEqual([candidates, word])
  })

  test('offers every visible name after a space', async () => {
    expect(await complete('cat ', sandbox)).toEqual([
      ['a\\ b', 'data.json', 'data.txt', 'docs/', "it\\'s", 'ü'],
      '',
    ])
  })
})

test('complete knows the programs, the builtins and the home of bash', async () => {
  await using bash = await BashSandbox.open({ files: { '/home/user/notes.txt': '' }, cwd: '/tmp' })
  expect(await complete('awk', bash)).toEqual([['awk '], 'awk'])
  expect(await complete('mapf', bash)).toEqual([['mapfile '], 'mapf'])
  expect(await complete('cat ~/no', bash)).toEqual([['~/notes.txt '], '~/no'])
  expect(await complete('__', bash)).toEqual([[], '__'])
})
