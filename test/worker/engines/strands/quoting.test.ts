import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quoted } from '../../../../worker/engines/strands/quoting.ts'
import { newShell } from '../../../mirror-model/direct-session.ts'
import { cases } from '../../../support/tier.ts'

const odd = fc.constantFrom('\r', '\n', '\r\n', "'", '"', '\\', '$x', '`id`', '*', '~', '#', '!', '-', ' ')
const byte = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code))
const text = fc.array(fc.oneof(odd, byte, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 20 })

it('the engine reads a quoted word as the text that it stands for', async () => {
  const shell = await newShell()
  const check = async (value: string) => {
    await shell.run(`'printf' '%s' ${quoted(value)} > /tmp/word`)
    expect(Buffer.from(await shell.readFile('/tmp/word')).toString()).toBe(value)
  }
  for (let code = 1; code < 256; code++) await check(`a${String.fromCharCode(code)}\r\n'`)
  const whole = text.map((parts) => parts.join('').replaceAll('\0', '').toWellFormed())
  await fc.assert(fc.asyncProperty(whole, check), { numRuns: cases(300) })
})
