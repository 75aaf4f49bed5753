import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quoted } from '../../../../worker/engines/strands/quoting.ts'
import { COMMON } from '../../../../worker/engines/strands/translate/programs/lines.ts'
import { newShell } from '../../../mirror-model/direct-session.ts'
import { codePoint } from '../../../support/code-point.ts'
import { cases } from '../../../support/tier.ts'

const odd = fc.constantFrom('\r', '\n', '\r\n', "'", '"', '\\', '$x', '`id`', '*', '~', '#', '!', '-', ' ')
const byte = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code))
const parts = fc.array(fc.oneof(odd, byte, fc.string({ unit: codePoint, maxLength: 3 })), { maxLength: 20 })
const text = parts.map((some) => some.join('').replaceAll('\0', '').toWellFormed())

it('the engine reads a quoted word as the text that it stands for', async () => {
  const shell = await newShell()
  const check = async (value: string) => {
    await shell.run(`'printf' '%s' ${quoted(value)} > /tmp/word`)
    expect(Buffer.from(await shell.readFile('/tmp/word')).toString()).toBe(value)
  }
  for (let code = 1; code < 256; code++) await check(`a${String.fromCharCode(code)}\r\n'`)
  await fc.assert(fc.asyncProperty(text, check), { numRuns: cases(300) })
})

it('and so it reads a word that a program in lua has quoted', async () => {
  const shell = await newShell()
  await shell.writeFile(
    '/tmp/quote.lua',
    Buffer.from(`${COMMON}
for word in slurp('/tmp/words'):gmatch('([^%z]*)%z') do
  os.execute("{ 'printf' '%s' " .. quote(word) .. "; 'printf' '\\\\0'; } >> /tmp/read")
end`),
  )
  const check = async (values: readonly string[]) => {
    const words = Buffer.from(values.map((value) => `${value}\0`).join(''))
    await shell.writeFile('/tmp/words', words)
    await shell.writeFile('/tmp/read', Buffer.alloc(0))
    const { stderr } = await shell.run('lua /tmp/quote.lua')
    expect([stderr, Buffer.from(await shell.readFile('/tmp/read')).toString()]).toEqual([
      '',
      words.toString(),
    ])
  }
  await check(Array.from({ length: 255 }, (_, code) => `a${String.fromCharCode(code + 1)}\r\n'`))
  const texts = fc.array(text, { minLength: 1, maxLength: 50 })
  await fc.assert(fc.asyncProperty(texts, check), { numRuns: cases(20) })
})
