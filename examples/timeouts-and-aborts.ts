// Four ways to cut a command short, and what each does to the session.
import { SandboxAbortError, SandboxTimeoutError, ShellHost, WorkerLostError } from 'strands-shell-runtime'

await using host = new ShellHost()

const endless = 'echo started > /tmp/note; sleep 60'

/** How a call ended: its exit code, or the code of its error. */
async function outcomeOf(call: Promise<{ readonly exitCode: number }>): Promise<string> {
  const start = performance.now()
  const outcome = await call.then(({ exitCode }) => `exit code ${exitCode}`, nameOf)
  return `${outcome} after ${((performance.now() - start) / 1000).toFixed(1)} s`
}

function nameOf(error: unknown): string {
  if (error instanceof SandboxTimeoutError || error instanceof SandboxAbortError) return error.code
  if (error instanceof WorkerLostError)
    return `${error.code} (${error.cause instanceof Error ? error.cause.message : ''})`
  throw error
}

// The config's timeout ends the command with exit code 124. The session goes on.
{
  await using sandbox = await host.open({ timeout: 0.5 })
  console.log('config timeout:', await outcomeOf(sandbox.execute(endless)))
  console.log('  the session has its files:', (await sandbox.readText('/tmp/note')).trimEnd())
}

// A call's own timeout rejects the call at that moment. The session stays: the next call waits for the old command.
{
  await using sandbox = await host.open({ timeout: 1 })
  console.log('call timeout:', await outcomeOf(sandbox.execute(endless, { timeout: 0.2 })))
  console.log(
    '  the next call:',
    await outcomeOf(sandbox.execute('cat /tmp/note')),
    'in session',
    sandbox.generation,
  )
}

// With onInterrupt: 'reset' an interrupted call ends the session. The next call opens a fresh one.
{
  await using sandbox = await host.open({ timeout: 1, onInterrupt: 'reset' })
  const signal = AbortSignal.timeout(200)
  console.log('call signal:', await outcomeOf(sandbox.execute(endless, { signal })))
  const note = await sandbox.execute('cat /tmp/note')
  console.log('  the next call:', `exit code ${note.exitCode}`, 'in session', sandbox.generation)
}

// Some commands ignore the engine's deadline. The runtime ends their session two seconds after it.
{
  await using sandbox = await host.open({ timeout: 0.3 })
  console.log('ignored timeout:', await outcomeOf(sandbox.execute('cat /dev/zero > /dev/null')))
  console.log(
    '  the next call:',
    await outcomeOf(sandbox.execute('echo fresh')),
    'in session',
    sandbox.generation,
  )
}
