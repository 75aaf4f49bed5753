import { describe, expect, it } from 'vitest'
import { Code } from '../../../../worker/service/code/code.ts'
import { type CompiledTexts, digestOf } from '../../../../worker/service/code/code-file.ts'

/** One that V8 has not compiled in this thread, where it keeps some itself. */
const fresh = (name: string) => `(function ${name}(x) { return x + 1 })`

function compiledOf(source: string): CompiledTexts {
  const code = new Code()
  code.script(source, 'a.js').runInThisContext()(1)
  return code.compiled
}

describe('a text', () => {
  it('is run by what was compiled of it before', () => {
    const text = fresh('known')
    const script = new Code(compiledOf(text)).script(text, 'a.js')
    expect(script.cachedDataRejected).toBe(false)
    expect(script.runInThisContext()(1)).toBe(2)
  })

  it.each<[string, (text: string) => CompiledTexts, boolean | undefined]>([
    ['nothing was compiled of it', () => new Map(), undefined],
    ['another text was compiled', (text) => compiledOf(`${text} `), undefined],
    ['V8 refuses it', (text) => new Map([[digestOf(text), Buffer.alloc(200, 1)]]), true],
  ])('is compiled where %s', (what, known, rejected) => {
    const text = fresh(what.replaceAll(' ', '_'))
    const script = new Code(known(text)).script(text, 'a.js')
    expect(script.cachedDataRejected).toBe(rejected)
    expect(script.runInThisContext()(1)).toBe(2)
  })
})
