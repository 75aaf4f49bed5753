import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { joined } from '../../../../../worker/engines/bash/bundle/pieces.ts'
import { assertPinned } from '../../../../../worker/engines/bash/bundle/pinned.ts'
import { prepare } from '../../../../../worker/engines/bash/bundle/prepare.ts'
import { bundle } from '../open-shell.ts'

const source = readFileSync(new URL(bundle), 'utf8')

test('a text that is not the pinned one is refused', () => {
  expect(() => assertPinned(source)).not.toThrow()
  expect(() => assertPinned(`${source} `)).toThrow(/is not that of version 3\.4\.2/)
})

test('a text that has the place of a mend twice, or not at all, is refused', () => {
  expect(() => prepare(source + source)).toThrow(/has not once what is mended/)
  expect(() => prepare('')).toThrow(/has not once what is mended/)
})

test('the module becomes a function body without imports and exports', () => {
  const { pieces, imports } = prepare(source)
  const body = joined(pieces, source)
  expect(() => new Function('$module', '$import', '$url', body)).not.toThrow()
  expect(body).not.toContain('import.meta')
  expect(imports).toContain('./chunks/chunk-J2OBOJ64.js')
})
