import { describe, expect, it } from 'vitest'
import { shapeStreams } from '../../../src/tools/output/shape-streams.ts'
import { Spill } from '../../../src/tools/output/spill.ts'

/** A sandbox of files alone. */
class Files {
  readonly texts = new Map<string, string>()

  async writeText(path: string, content: string): Promise<void> {
    this.texts.set(path, content)
  }

  async removeFile(path: string): Promise<void> {
    this.texts.delete(path)
  }
}

const options = { limit: 200, spill: undefined, signal: undefined }

describe('the shape of output', () => {
  it('is the output where it fits', async () => {
    expect(await shapeStreams({ stdout: 'a\n', stderr: 'b\n' }, options)).toEqual({
      stdout: 'a\n',
      stderr: 'b\n',
      truncated: false,
      files: [],
    })
  })

  it('gives one stream the room that the other leaves', async () => {
    const { stdout, stderr } = await shapeStreams(
      { stdout: 'a'.repeat(150), stderr: 'b'.repeat(50) },
      options,
    )
    expect([stdout.length, stderr.length]).toEqual([150, 50])
  })

  it('keeps a quarter of the room for standard error, and the rest for standard output', async () => {
    const { stdout, stderr } = await shapeStreams(
      { stdout: 'a'.repeat(999), stderr: 'b'.repeat(999) },
      options,
    )
    expect([kept(stdout, 'a'), kept(stderr, 'b')]).toEqual([150, 50])
  })

  it('says how much is missing, and that it is lost where nothing keeps it', async () => {
    const { stdout, truncated } = await shapeStreams({ stdout: `${'a'.repeat(299)}\n`, stderr: '' }, options)
    expect(truncated).toBe(true)
    expect(stdout).toBe(
      `${'a'.repeat(100)}\n[… 100 characters in 1 line left out here. It was not kept: run the command again with its output in a file, or print less.]\n${'a'.repeat(99)}\n`,
    )
  })

  it('puts all of a long output into a file, and names it', async () => {
    const files = new Files()
    const text = 'abc\n'.repeat(500)
    const spill = new Spill(files, '/spill/')
    const { stdout, files: paths } = await shapeStreams({ stdout: text, stderr: '' }, { ...options, spill })
    expect(paths).toEqual([expect.stringMatching(/^\/spill\/output-[0-9a-f]{8}-stdout\.txt$/)])
    expect([...files.texts]).toEqual([[paths[0], text]])
    expect(stdout).toContain(`1,800 characters in 450 lines left out here. All of stdout is in ${paths[0]}:`)
  })

  it('says so where that fails', async () => {
    const spill = new Spill(
      {
        writeText: () => Promise.reject(new Error('the disk is full')),
        removeFile: () => Promise.resolve(),
      },
      '/spill',
    )
    const { stdout, files } = await shapeStreams(
      { stdout: 'a'.repeat(300), stderr: '' },
      { ...options, spill },
    )
    expect(files).toEqual([])
    expect(stdout).toContain('It could not be kept in a file (the disk is full): run the command again')
  })

  it('waits no longer than its caller for a file', async () => {
    const spill = new Spill(
      { writeText: () => new Promise(() => undefined), removeFile: async () => undefined },
      '/',
    )
    const signal = AbortSignal.timeout(1)
    const { stdout } = await shapeStreams(
      { stdout: 'a'.repeat(300), stderr: '' },
      { ...options, spill, signal },
    )
    expect(stdout).toContain('(the call was aborted)')
  })

  it('keeps the files of the last twenty', async () => {
    const files = new Files()
    const spill = new Spill(files, '/spill')
    const paths: string[] = []
    for (let index = 0; index < 25; index++) {
      const spilled = await spill.write('stdout', String(index))
      if (spilled.isWritten) paths.push(spilled.path)
    }
    expect([...files.texts.keys()]).toEqual(paths.slice(5))
  })

  it('does not show what is no text', async () => {
    const { stdout, truncated } = await shapeStreams({ stdout: '\0\u0001PNG', stderr: '' }, options)
    expect({ stdout, truncated }).toEqual({
      stdout: '[stdout is not text: 5 characters left out. Redirect it to a file, or print it as hex.]',
      truncated: true,
    })
  })
})

function kept(text: string, letter: string): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(letter))
    .join('').length
}
