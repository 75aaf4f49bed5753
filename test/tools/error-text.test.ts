import { describe, expect, it } from 'vitest'
import type { SandboxSummary } from '../../src/hosted-sandbox/summary.ts'
import {
  HostSaturatedError,
  MirrorError,
  SandboxClosedError,
  SandboxConnectionError,
  SandboxPathNotFoundError,
  SandboxPermissionError,
  SandboxTimeoutError,
  SessionLoss,
  WorkerLostError,
} from '../../src/index.ts'
import { failureOf } from '../../src/tools/error-text.ts'
import { saturation } from '../support/saturation.ts'

const summary: SandboxSummary = {
  shell: 'strands',
  directory: '/home/lash',
  writable: ['/workspace'],
  python: false,
  commands: [],
  isolation: 'worker',
  network: 'public',
  binds: [
    { destination: '/work', mode: 'direct', readonly: false },
    { destination: '/ref', mode: 'direct', readonly: true },
  ],
  allowedUrls: [],
  credentialUrls: [],
  timeout: 30,
  onInterrupt: 'keep',
  onLost: 'reopen',
  hasConfigFile: false,
}

const lost = new WorkerLostError('The session was lost: it panicked', {
  cause: new SessionLoss('ENGINE_PANIC', 'x'),
})
const late = new SandboxTimeoutError('The call did not end within its timeout of 1 s.')

describe('a failure, as a model reads it,', () => {
  it('has a code, what happened, and what to do', () => {
    const error = new SandboxPathNotFoundError("readFile '/x': no such file", { path: '/x' })
    expect(failureOf(error)).toEqual({
      code: 'PATH_NOT_FOUND',
      message:
        "PATH_NOT_FOUND: readFile '/x': no such file. List the directory above it to see what is there.",
    })
    expect(failureOf(new SandboxClosedError('It is closed.')).message).toBe(
      'CLOSED: It is closed. No tool of this sandbox will work any more: say so.',
    )
  })

  it('tells what a lost session takes with it, and what comes next', () => {
    expect(failureOf(lost, summary).message).toBe(
      'WORKER_LOST: The session was lost: it panicked. Everything that was only in the sandbox is gone: files outside directories shared with the host, variables, the working directory. The next call starts a fresh session: make again what you need, and do not repeat what was just run.',
    )
    expect(failureOf(lost, { ...summary, onLost: 'restore' }).message).toContain(
      'The next call goes on with the files and variables that were kept last',
    )
    expect(failureOf(lost, { ...summary, onLost: 'fail' }).message).toContain(
      'This sandbox takes no more calls',
    )
    const hostClosed = new WorkerLostError('The session was lost: The host was closed.', {
      cause: new SessionLoss('HOST_CLOSED', 'x'),
    })
    expect(failureOf(hostClosed, { ...summary, onLost: 'restore' }).message).toBe(
      'WORKER_LOST: The session was lost: The host was closed. No tool of this sandbox will work any more: say so.',
    )
  })

  it('tells what an interrupt leaves behind', () => {
    expect(failureOf(late, summary).message).toContain(
      'the command runs on until it ends or the sandbox ends it',
    )
    expect(failureOf(late, { ...summary, onInterrupt: 'reset' }).message).toContain(
      'The next call starts a fresh session.',
    )
    expect(failureOf(late).message).toBe(
      'TIMEOUT: The call did not end within its timeout of 1 s. Do less in one call, or give it a longer timeout.',
    )
  })

  it('names the places that can be written', () => {
    const error = new SandboxPermissionError('denied', { path: '/ref/x' })
    expect(failureOf(error, summary).message).toBe(
      'PERMISSION_DENIED: denied. Writable are: /work, /tmp, /home/lash, /workspace.',
    )
    expect(failureOf(error).message).toBe('PERMISSION_DENIED: denied')
  })

  it('tells whether a command ran', () => {
    const connection = (started: boolean) =>
      failureOf(new SandboxConnectionError('refused', { started })).message
    expect(connection(false)).toContain('Nothing was run')
    expect(connection(true)).toContain('see what it did before you repeat it')
    const sync = new MirrorError('not written', { written: [], pending: [] })
    expect(failureOf(sync).message).toContain('Do not run the command again for this.')
  })

  it('says when to try again', () => {
    expect(failureOf(new HostSaturatedError('full', { saturation })).message).toContain(
      'Try again in a while.',
    )
  })

  it('is never more than the message of an error that is not ours', () => {
    expect(failureOf(new TypeError('odd'))).toEqual({ code: 'ERROR', message: 'The sandbox failed: odd' })
    expect(failureOf('odd')).toEqual({ code: 'ERROR', message: 'The sandbox failed: odd' })
  })
})
