import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarkedStream } from '../../src/posix/marked-stream.ts'

const token = 'strands-0123456789'

/** What comes out of a stream that gets the text in pieces of these sizes. */
function read(text: string, sizes: readonly number[] = []) {
  const out: string[] = []
  const stream = new MarkedStream(token, (bytes) => out.push(bytes.toString('latin1')))
  let rest = Buffer.from(text, 'latin1')
  for (const size of sizes) {
    stream.push(rest.subarray(0, size))
    rest = rest.subarray(size)
  }
  stream.push(rest)
  stream.finish()
  return { output: out.join(''), begun: stream.begun, exitCode: stream.exitCode, noise: stream.noise }
}

/** Text that often holds a part of a mark, and never a whole one. */
const nearly = fc
  .array(fc.constantFrom(token, `${token}:`, token.slice(0, 5), ':end', ':begin', '\n', ' ', 'x', 's', 'y'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''))
  .filter((text) => !text.includes(`${token}:end `) && !text.includes(`${token}:begin\n`))

describe('a marked stream', () => {
  it('gives what is between the marks, however it is cut into pieces', () => {
    fc.assert(
      fc.property(
        nearly,
        nearly,
        nearly,
        fc.nat(255),
        fc.array(fc.nat(20), { maxLength: 20 }),
        (noise, output, after, code, sizes) => {
          const text = `${noise}${token}:begin\n${output}${token}:end ${code}\n${after}`
          expect(read(text, sizes)).toEqual({ output, begun: true, exitCode: code, noise })
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('gives all that came where the end is missing', () => {
    fc.assert(
      fc.property(nearly, fc.array(fc.nat(20), { maxLength: 20 }), (output, sizes) => {
        expect(read(`${token}:begin\n${output}`, sizes)).toEqual({
          output,
          begun: true,
          exitCode: undefined,
          noise: '',
        })
      }),
    )
  })

  it('keeps the first of what comes where the beginning is missing', () => {
    expect(read('why')).toEqual({ output: '', begun: false, exitCode: undefined, noise: 'why' })
    const { noise } = read('x'.repeat(100_000), [50_000])
    expect(noise).toBe('x'.repeat(8192))
  })

  it('holds nothing back that cannot be a mark', () => {
    const out: string[] = []
    const stream = new MarkedStream(token, (bytes) => out.push(bytes.toString()))
    for (const piece of [`${token}:begin\n`, 'a', 'strand', 's-b', 's']) stream.push(Buffer.from(piece))
    expect(out).toEqual(['a', 'strands-b'])
  })
})
