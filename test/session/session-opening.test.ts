import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LossData } from '../../src/contract/errors.ts'
import { strandsEngine } from '../../src/engines/strands/strands-engine.ts'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { SessionHost } from '../../src/host/session-host.ts'
import type { OpenRequest } from '../../src/places/open-request.ts'
import type { Place } from '../../src/places/place.ts'
import { SandboxError } from '../../src/sandbox/errors.ts'
import { getEnv } from '../../src/session/operations.ts'
import { Session } from '../../src/session/session.ts'
import { STRANDS_CAPABILITIES } from '../../worker/engines/strands/capabilities.ts'

const loss: LossData = { code: 'WORKER_EXITED', message: 'The worker exited with code 1.' }

describe('a session whose worker ends before its first call', () => {
  it('reports the loss once, and opens again for the next call', async () => {
    const host = new PlacesHost(() => {
      return place({ onLost: (listener) => listener(loss) })
    })
    const session = sessionOn(host)

    const first = await codeOf(session.call(getEnv('HOME')))
    expect([first, host.opened]).toEqual(['WORKER_LOST', 1])
    await codeOf(session.call(getEnv('HOME')))
    expect(host.opened).toBe(2)
  })
})

describe('a session that is closed as it opens', () => {
  it('ends the lease, and does not withdraw the request whose opening has succeeded', async () => {
    let request: OpenRequest | undefined
    const ends: string[] = []
    const host = new PlacesHost((asked) => {
      request = asked
      return place({
        // Called as the lease is made: the microtask runs before any caller that waits for the lease.
        onLost: () => queueMicrotask(() => session.abandon()),
        retire: () => ends.push('retired'),
      })
    })
    const session = sessionOn(host)

    await session.open()

    expect([session.status, ends, request?.signal.aborted]).toEqual(['closed', ['retired'], false])
  })
})

/** A host whose places the test makes. */
class PlacesHost extends SessionHost {
  opened = 0
  readonly #makePlace: (request: OpenRequest) => Place

  constructor(makePlace: (request: OpenRequest) => Place) {
    super(resolveHostOptions({ isolation: 'worker' }))
    this.#makePlace = makePlace
    onTestFinished(() => this.close())
  }

  override async open(_session: unknown, request: OpenRequest): Promise<Place> {
    this.opened += 1
    return this.#makePlace(request)
  }
}

function place(own: Partial<Place>): Place {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port2.close())
  return {
    endpoint: port1,
    timeout: 30,
    allowance: 0,
    capabilities: STRANDS_CAPABILITIES,
    interrupt: () => undefined,
    isBusy: () => false,
    onLost: () => undefined,
    release: () => undefined,
    retire: () => undefined,
    ...own,
  }
}

function sessionOn(host: SessionHost): Session {
  const config = {
    engine: strandsEngine,
    record: { ...strandsEngine.blank, credentials: [] },
    isolation: undefined,
    maxPending: 8,
    labels: {},
    policyTimeout: 5,
    approvalTimeout: 300,
  }
  return new Session(
    { ...config, onInterrupt: 'keep', onLost: 'reopen', checkpoints: 'never' },
    {
      host,
      id: undefined,
      generation: 1,
      listeners: () => undefined,
      hostCommands: () => undefined,
      policies: () => [],
    },
  )
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'none'
  } catch (error) {
    return error instanceof SandboxError ? error.code : String(error)
  }
}
