import type { MessagePort } from 'node:worker_threads'
import * as Comlink from 'comlink'
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs'
import type { BlockingRequest } from '../../src/contract/blocking.ts'
import type { LossData } from '../../src/contract/errors.ts'
import {
  type EngineSource,
  type LeaseReply,
  type LeaseRequest,
  type LossNotice,
  MIRROR_ALLOWANCE,
} from '../../src/contract/lease.ts'
import { buildShell } from '../engines/strands/build-shell.ts'
import { shellDropped } from '../engines/strands/collect.ts'
import type { Engine } from '../engines/strands/engine.ts'
import { FarError, toErrorData } from './far-error.ts'
import { NativeGate } from './native-gate.ts'
import { ShellService } from './shell-service.ts'

/**
 * Makes a worker's task: it adopts the port it is given, builds a native shell in this thread, serves it on
 * the port from then on, and returns at once. A thread whose code has failed says so to each of its leases
 * and takes no more of them.
 */
export function createAdopt(loadEngine: (source: EngineSource) => Promise<Engine>) {
  const workerGate = new NativeGate(() => setImmediate(end))
  const services = new Map<MessagePort, ShellService>()
  let failure: LossData | undefined
  let thrown: unknown

  const fail = (error: unknown) => {
    thrown ??= error
    failure ??= { code: 'WORKER_FAILED', message: `The worker threw: ${describe(error)}` }
    for (const [port, service] of services) tellLoss(port, service, failure)
    workerGate.retire()
  }
  process.on('uncaughtException', fail)

  /** A thread that has failed ends by its error: its host may learn of the end before it has read the ports. */
  function end(): void {
    if (failure === undefined) process.exit(0)
    process.off('uncaughtException', fail)
    throw thrown
  }

  return async function adopt({ port, gate, engine, record }: LeaseRequest): Promise<LeaseReply> {
    try {
      const native = await loadEngine(engine)
      const built = await buildShell(native, record, workerGate.forLease(gate))
      if (failure !== undefined) throw lost(failure)
      const service = new ShellService(built, (loss) => tellLoss(port, service, loss))
      services.set(port, service)
      port.once('close', () => {
        services.delete(port)
        service.close()
        shellDropped(services.size)
      })
      port.on('message', (message: unknown) => {
        if (isBlockingRequest(message)) service.block(message)
      })
      Comlink.expose(service, nodeEndpoint(port))
      const allowance = built.mirroring === undefined ? 0 : MIRROR_ALLOWANCE
      return { ok: true, gate: workerGate.shared, timeout: built.settings.timeout, allowance }
    } catch (error) {
      port.close()
      return {
        ok: false,
        gate: workerGate.shared,
        error: toErrorData(failure === undefined ? error : lost(failure)),
      }
    }
  }
}

function tellLoss(port: MessagePort, service: ShellService, loss: LossData): void {
  port.postMessage({ notice: 'lost', loss } satisfies LossNotice)
  service.lost(loss)
}

function isBlockingRequest(message: unknown): message is BlockingRequest {
  return typeof message === 'object' && message !== null && 'blocking' in message
}

function lost(loss: LossData): FarError {
  return new FarError({ code: 'WORKER_LOST', message: loss.message, loss })
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
