import { access } from 'node:fs/promises'
import { setTimeout } from '../../async/clock.ts'
import { outsideRequests } from '../../async/outside-requests.ts'
import type { EngineSource } from '../../contract/lease.ts'
import { processRoom } from '../room/room.ts'
import { codeFile } from './code-file.ts'

/** How compiled code is made where there is none. */
export interface CodeMaker {
  /** The flags of the processes that use it. */
  readonly flags: () => readonly string[]
  /** Starts what writes the file, and waits for nothing. */
  readonly start: (file: string, source: EngineSource, workerEntry: URL) => void
}

/** Openings after which a process is taken for one that opens more. */
const OPENINGS = 2

/** Milliseconds after that: the openings of a short process are over by then, and so is it. */
const DELAY = 2000

/** What starting a thread or a process takes. */
const needs = { descriptors: 32, tasks: 20, addressSpace: 0 }

/**
 * The compiled code of the bash engine: V8 takes a third of the time in which a thread loads it to compile it. A process that
 * opens bash sandboxes again and again has it made, once for all processes of this user.
 */
export class KeptCode {
  readonly #maker: CodeMaker
  readonly #files = new Map<string, Promise<string | undefined>>()
  #openings = 0

  constructor(maker: CodeMaker) {
    this.#maker = maker
  }

  /** The source with its file, where the engine has one. What a cell was given stays as it is. */
  async with(source: EngineSource, workerEntry: URL): Promise<EngineSource> {
    if (source.engine !== 'bash' || source.code !== undefined) return source
    const code = await this.#fileOf(workerEntry)
    return code === undefined ? source : { ...source, code }
  }

  /** A sandbox was opened by this source. */
  opened(source: EngineSource, workerEntry: URL): void {
    if (source.code === undefined || ++this.#openings !== OPENINGS) return
    const { code } = source
    outsideRequests(() => setTimeout(() => void this.#make(code, source, workerEntry), DELAY)).unref()
  }

  #fileOf(workerEntry: URL): Promise<string | undefined> {
    const known = this.#files.get(workerEntry.href)
    if (known !== undefined) return known
    const file = codeFile(workerEntry, this.#maker.flags())
    this.#files.set(workerEntry.href, file)
    return file
  }

  async #make(file: string, source: EngineSource, workerEntry: URL): Promise<void> {
    try {
      await access(file)
    } catch {
      if (processRoom.shortage(needs) === undefined) this.#maker.start(file, source, workerEntry)
    }
  }
}
