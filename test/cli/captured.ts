import { Writable } from 'node:stream'
import { Output, type Outputs } from '../../src/cli/output.ts'

/** Outputs that keep what is written to them. */
export function captured(): Outputs & { readonly text: { stdout: string; stderr: string } } {
  const text = { stdout: '', stderr: '' }
  const into = (name: 'stdout' | 'stderr') =>
    new Output(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          text[name] += chunk.toString()
          done()
        },
      }),
      name,
    )
  return { stdout: into('stdout'), stderr: into('stderr'), text }
}
