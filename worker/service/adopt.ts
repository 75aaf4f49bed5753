import type { LossData } from '../../src/contract/errors.ts'
import type {
  EngineName,
  EngineSource,
  LeaseOrder,
  LeaseReply,
  LeaseRequest,
} from '../../src/contract/lease.ts'
import { Caller } from './caller.ts'
import type { Engine, EngineShell, LoadEngine } from './engine-shell.ts'
import { errorMessage } from './error-message.ts'
import { startFailure } from './exhaustion.ts'
import { FarError, toErrorData } from './far-error.ts'
import { Interruption } from './interruption.ts'
import { LeasePort, orderOn } from './lease-port.ts'
import { NativeGate } from './native-gate.ts'
import { pipeOfThread } from './pipe-of-thread.ts'
import { ShellService } from './shell-service.ts'

/**
 * Makes a worker's task: it adopts the port it is given, builds the shell that is ordered there in this thread, serves it on the port from
 * then on, and returns at once. A thread whose code has failed says so to each of its leases and takes no more of them.
 *
 * @param engines - what loads each engine. None is loaded before a lease asks for it.
 */
export function createAdopt(engines: Readonly<Partial<Record<EngineName, LoadEngine>>>) {
  const workerGate = new NativeGate(() => setImmediate(end))
  /** What ends the session of each lease that is served. */
  const leases = new Set<(loss: LossData) => void>()
  let failure: LossData | undefined
  let thrown: unknown

  const fail = (error: unknown) => {
    thrown ??= error
    failure ??= { code: 'WORKER_FAILED', message: `The worker threw: ${describe(error)}` }
    for (const lost of leases) lost(failure)
    workerGate.retire()
  }
  process.on('uncaughtException', fail)

  /** A thread that has failed ends by its error: its host may learn of the end before it has read the ports. */
  function end(): void {
    if (failure === undefined) process.exit(0)
    process.off('uncaughtException', fail)
    throw thrown
  }

  async function load(source: EngineSource): Promise<Engine> {
    const loadEngine = engines[source.engine]
    if (loadEngine === undefined) {
      const message = `This worker entry has no engine '${source.engine}'.`
      throw new FarError({ code: 'ENGINE_UNAVAILABLE', message })
    }
    try {
      return await loadEngine(source)
    } catch (error) {
      throw startFailure(errorMessage(error)) ?? error
    }
  }

  function serve(port: LeasePort, service: ShellService, { shell, caller, lost }: Served) {
    leases.add(lost)
    port.serve({
      api: service,
      onSignal: (signal) => {
        if (signal.kind === 'block') caller.block(service.block(signal))
        else if (signal.kind === 'answer') caller.answered(signal)
        else void caller.file(signal, shell)
      },
      onClose: () => {
        leases.delete(lost)
        service.close()
        caller.close()
      },
    })
  }

  return async function adopt(
    request: LeaseRequest,
    order: Promise<LeaseOrder> = orderOn(request.port),
  ): Promise<LeaseReply> {
    let service: ShellService | undefined
    try {
      const { engine: source, record, proxy, way, lane } = await order
      const pipe = pipeOfThread(lane)
      const port = new LeasePort((lane && pipe?.lane(lane.number, request.port)) ?? request.port)
      const lost = (loss: LossData) => {
        port.send({ kind: 'lost', loss })
        service?.lost(loss)
      }
      const engine = await load(source)
      const gate = workerGate.forLease(request.gate)
      const interruption = new Interruption(request)
      const isInterrupted = () => interruption.isOf(service?.running)
      const caller = new Caller(
        (signal) => port.send(signal),
        () => service?.running,
      )
      const shell = await engine.build(record, {
        gate,
        threadGate: workerGate,
        isInterrupted,
        proxy,
        way,
        lost,
        caller,
      })
      if (failure !== undefined) {
        shell.close()
        throw lossOf(failure)
      }
      service = new ShellService(
        source.engine,
        shell,
        {
          afterCalls: record.handsOver === 'call',
          onPart: (part) => port.sendCheckpoint(part),
        },
        isInterrupted,
      )
      serve(port, service, { shell, caller, lost })
      const { timeout, allowance } = shell
      return {
        ok: true,
        gate: workerGate.shared,
        timeout,
        allowance,
        capabilities: engine.capabilities,
        ...(pipe === undefined ? {} : { pipe: pipe.number }),
      }
    } catch (error) {
      request.port.close()
      return {
        ok: false,
        gate: workerGate.shared,
        error: toErrorData(failure === undefined ? error : lossOf(failure)),
      }
    }
  }
}

/** What belongs to one lease. */
interface Served {
  readonly shell: EngineShell
  readonly caller: Caller
  /** Ends its session. */
  readonly lost: (loss: LossData) => void
}

function lossOf(loss: LossData): FarError {
  return new FarError({ code: 'WORKER_LOST', message: loss.message, loss })
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
