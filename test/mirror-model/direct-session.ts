import { createRequire } from 'node:module'
import type { BindRecord, MirrorRecord } from '../../src/contract/shell-record.ts'
import { resolveEngine } from '../../src/engines/strands/resolve-engine.ts'
import { openCheckpoint } from '../../worker/engines/strands/checkpoint/open-checkpoint.ts'
import type { ShellCheckpoint } from '../../worker/engines/strands/checkpoint/shell-checkpoint.ts'
import { readEffective } from '../../worker/engines/strands/effective-config.ts'
import { EmptySources } from '../../worker/engines/strands/empty-sources.ts'
import { PRELUDE } from '../../worker/engines/strands/guards/prelude.ts'
import { LastStatus } from '../../worker/engines/strands/last-status.ts'
import { prepareMirrors } from '../../worker/engines/strands/mirror/open-mirrors.ts'
import type { NativeShell } from '../../worker/engines/strands/native-shell.ts'
import { StrandsEngineShell } from '../../worker/engines/strands/strands-shell.ts'
import { TRANSLATION_DIRECTORY } from '../../worker/engines/strands/translate/directory.ts'
import { ShellService } from '../../worker/service/shell-service.ts'

/** What a worker serves, in this thread: the engine, its mirrors and the service around them. */
export interface DirectSession {
  /** The engine itself, behind the mirrors. */
  readonly shell: NativeShell
  readonly service: ShellService
  /** What a snapshot has of it. */
  readonly checkpoint: ShellCheckpoint
  /** Runs a command; `during` is called when it has ended and nothing was written to the host yet. */
  run(command: string, during?: () => void): ReturnType<ShellService['run']>
}

interface Builder {
  bind(source: string, destination: string): void
  timeout(seconds: number): void
  maxInodes(most: number): void
  maxOutput(bytes: number): void
  build(): Promise<NativeShell>
}

/** A statement that tells a command from what the mirrors run, also in its translation. */
const MARK = ': marked'

/** Opens a session whose one bind is `source` at `/work`, for a process whose main thread makes all its native calls. */
export async function openDirect(
  source: string,
  { mode = 'direct', exclude = [] }: Partial<Pick<BindRecord, 'mode' | 'exclude'>> = {},
  bounds: MirrorRecord = { maxFiles: 5000, maxBytes: 2 ** 26 },
  maxInodes = 20_000,
): Promise<DirectSession> {
  const binds: BindRecord[] = [{ source, destination: '/work', mode, readonly: false, exclude }]
  using prepared = prepareMirrors(binds)
  using empty = new EmptySources()
  const shell = await newShell((builder) => {
    for (const bind of prepared.binds) builder.bind(bind.source, bind.destination)
    builder.bind(empty.directory, TRANSLATION_DIRECTORY)
    builder.timeout(30)
    builder.maxOutput(2 ** 26)
    builder.maxInodes(maxInodes)
  })
  const effective = readEffective(await shell.config())
  let during: (() => void) | undefined
  let runs = 0
  const watched = new Proxy(Object.assign(shell, { runs }), {
    get(target, name) {
      if (name === 'runs') return runs
      if (name !== 'run') {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (command: string) => {
        runs += 1
        const output = await target.run(command)
        if (command.includes(MARK)) during?.()
        return output
      }
    },
  })
  const mirroring = await prepared.fill(watched, { bounds, maxFileSize: effective.maxFileSize })
  await shell.run(PRELUDE)
  const settings = {
    ...effective,
    maxOutput: 2 ** 20,
    binds,
    mirror: bounds,
    places: new Set<string>(),
    skipped: [],
    handsOver: false,
  }
  const engineShell = new StrandsEngineShell({ shell: watched, settings, mirroring }, (loss) => {
    throw new Error(loss.message)
  })
  const service = new ShellService('strands', engineShell, { afterCalls: false, onPart: () => undefined })
  let calls = 0
  return {
    shell,
    service,
    checkpoint: openCheckpoint({ shell: watched, status: new LastStatus(watched), mirroring }, settings),
    run: (command, act) => {
      during = act
      calls += 1
      return service.run(calls, { command: act === undefined ? command : `${MARK}\n${command}` })
    },
  }
}

/** A shell as the engine makes it, for a process whose main thread makes all its native calls. */
export async function newShell(
  configure: (builder: Builder) => void = () => undefined,
): Promise<NativeShell> {
  const { source } = await resolveEngine()
  const { ShellBuilder }: { ShellBuilder: new () => Builder } = createRequire(import.meta.url)(source.path)
  const builder = new ShellBuilder()
  configure(builder)
  return builder.build()
}
