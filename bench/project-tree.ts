import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const directories = 20
const filesInEach = 50
const lines = 60

/** A project of a thousand source files and a `package.json`, on the host. */
export class ProjectTree implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'bench-project-'))

  constructor() {
    writeFileSync(join(this.root, 'package.json'), '{ "name": "project", "version": "1.2.3" }\n')
    for (let directory = 0; directory < directories; directory++) {
      mkdirSync(join(this.root, `part${directory}`))
      for (let file = 0; file < filesInEach; file++) {
        writeFileSync(join(this.root, pathOf(directory, file)), textOf(directory, file))
      }
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true })
  }
}

/** The path of a file below the root. */
export function pathOf(directory: number, file: number): string {
  return `part${directory}/file${file}.ts`
}

/** The file names of a directory, sorted. */
export const listing = Array.from({ length: filesInEach }, (_, file) => `file${file}.ts`).sort()

/** The text of a file: its own name is in line 1 and the number of every line in each. */
export function textOf(directory: number, file: number): string {
  const line = (_: unknown, index: number) =>
    index === 0
      ? `// the file number ${directory * filesInEach + file} of all`
      : `export const value${index} = compute(${index})`
  return `${Array.from({ length: lines }, line).join('\n')}\n`
}
