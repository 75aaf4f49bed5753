import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { codePoint } from '../support/code-point.ts'

/** A file's name: any text that is no path, of at most 200 bytes. */
const fileName = fc
  .string({ unit: codePoint, minLength: 1, maxLength: 50 })
  .filter((name) => !/[/\0]/.test(name) && name !== '.' && name !== '..' && name.isWellFormed())
  .filter((name) => Buffer.byteLength(name) <= 200)

const envValue = fc
  .string({ unit: codePoint, maxLength: 200 })
  .filter((value) => !value.includes('\0') && value.isWellFormed())

/** What must reach a sandbox, and come back, unchanged: `directory` is one of its own. */
export function describeRoundTrips(
  name: string,
  open: () => Promise<{ readonly sandbox: Sandbox; readonly directory: string }>,
  numRuns: number,
): void {
  describe(`round trips (${name})`, () => {
    it('any file name and any bytes', async () => {
      const { sandbox, directory } = await open()
      const property = fc.asyncProperty(
        fileName,
        fc.uint8Array({ maxLength: 300 }),
        async (file, content) => {
          const path = `${directory}/${file}`
          await sandbox.writeFile(path, content)
          expect(Buffer.compare(await sandbox.readFile(path), content)).toBe(0)
          expect((await sandbox.listFiles(directory)).map((entry) => entry.name)).toEqual([file])
          await sandbox.removeFile(path)
        },
      )
      await fc.assert(property, { numRuns })
    })

    it('any value of a variable', async () => {
      const { sandbox } = await open()
      const property = fc.asyncProperty(envValue, async (value) => {
        const { stdout } = await sandbox.execute('printf "%s|" "$VALUE"', { env: { VALUE: value } })
        expect(stdout).toBe(`${value}|`)
      })
      await fc.assert(property, { numRuns })
    })
  })
}
