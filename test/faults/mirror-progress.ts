import { existsSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { BindConfig } from '../../src/index.ts'
import { until } from './basics.ts'

/** Holds a command at a point of its text until the test lets it go on. */
export interface HoldPoint {
  /** To be among the binds of the sandbox. */
  readonly bind: BindConfig
  /** What the command runs where it is to be held. */
  readonly command: string
  /** Resolves when the command is held. */
  reached(): Promise<void>
  /** Lets the command go on. */
  release(): void
}

/** A hold point for one command. */
export function holdPoint(): HoldPoint {
  const source = mkdtempSync(join(tmpdir(), 'mirror-hold-'))
  onTestFinished(() => rmSync(source, { recursive: true, force: true }))
  return {
    bind: { source, destination: '/hold', mode: 'passthrough' },
    command: 'mkdir /hold/reached; while [ ! -e /hold/released ]; do sleep 0.01; done',
    reached: () => until(() => existsSync(`${source}/reached`)),
    release: () => writeFileSync(`${source}/released`, ''),
  }
}

/** Counts files that are replaced, each by a new file. */
export class Replacements {
  readonly #paths: readonly string[]
  #inodes: readonly bigint[]

  /** @param paths - of files that exist at any time. */
  constructor(paths: readonly string[]) {
    this.#paths = paths
    this.#inodes = this.#look()
  }

  /** How many of the files were replaced since the start. */
  count(): number {
    return this.#look().filter((inode, index) => inode !== this.#inodes[index]).length
  }

  /** Starts again from what is there now. */
  restart(): void {
    this.#inodes = this.#look()
  }

  /**
   * Waits until at least so many files were replaced and others were not.
   *
   * @returns `false` where `ended` became true first: this look came too late.
   */
  async caught(least: number, ended: () => boolean): Promise<boolean> {
    for (;;) {
      const isOver = ended()
      const count = this.count()
      if (count >= least && count < this.#paths.length) return true
      if (isOver || count === this.#paths.length) return false
      await turn()
    }
  }

  #look(): bigint[] {
    return this.#paths.map((path) => lstatSync(path, { bigint: true }).ino)
  }
}
