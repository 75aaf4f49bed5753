import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { BashSandbox } from '../../src/bash/index.ts'
import type { Isolation, StrandsShellSandbox } from '../../src/index.ts'
import type { Shell } from '../contenders/contender.ts'
import { ProjectTree } from '../project-tree.ts'
import { runSession } from '../scenarios/session.ts'
import type { Build, Comparison, Work } from './comparison.ts'

const mebibyte = 2 ** 20

/** The comparisons, in the order in which they run. Those named like a scenario of the bench do the same work. */
export const comparisons: readonly Comparison[] = [
  {
    name: 'new-process',
    does: 'Starts a Node process that imports the package, opens a sandbox and runs one command.',
    start: async ({ url }) => ({ run: () => firstAnswer(url), things: 1, close: async () => undefined }),
  },
  {
    name: 'open',
    does: 'Opens a sandbox on a host that has served others, runs `echo a` and closes it.',
    start: async (build) => {
      const { ShellHost } = await build.load()
      const host = new ShellHost({ isolation: 'worker' })
      const run = async () => {
        const sandbox = await host.open()
        await expectOutput(sandbox, 'echo a', 'a\n')
        await sandbox.close()
      }
      return { run, things: 1, close: () => host.close() }
    },
  },
  {
    name: 'execute',
    does: 'Runs `true` 50 times, one call after another.',
    start: (build) => withSandbox(build, 'worker', 50, (sandbox) => inTurns(sandbox, 50, 1)),
  },
  {
    name: 'in-flight',
    does: 'Runs `true` 128 times with 64 calls in flight.',
    start: (build) => withSandbox(build, 'worker', 128, (sandbox) => inTurns(sandbox, 128, 64)),
  },
  {
    name: 'execute-many',
    does: 'Runs a batch of 100 `true` with `executeMany`.',
    start: (build) => {
      const commands = Array.from({ length: 100 }, () => 'true')
      return withSandbox(build, 'worker', commands.length, async (sandbox) => {
        const { length } = await sandbox.executeMany(commands)
        if (length !== commands.length)
          throw new Error(`A batch of ${commands.length} gave ${length} results.`)
      })
    },
  },
  {
    name: 'session',
    does: "Runs a coding agent's session over a copy of a project of 1000 files.",
    start: async (build) => {
      const { ShellHost } = await build.load()
      const tree = new ProjectTree()
      const host = new ShellHost({ isolation: 'worker' })
      const root = '/work'
      const sandbox = await host.open({ binds: [{ source: tree.root, destination: root, mode: 'copy' }] })
      const shell: Shell = {
        root,
        execute: (command) => sandbox.execute(command),
        readFile: (path) => sandbox.readFile(path),
        writeFile: (path, content) => sandbox.writeFile(path, content),
        close: () => sandbox.close(),
      }
      let pass = 0
      const close = async () => {
        await host.close()
        tree[Symbol.dispose]()
      }
      return { run: () => runSession(shell, pass++), things: 1, close }
    },
  },
  {
    name: 'files',
    does: 'Writes a file of 8 MiB and reads it back.',
    start: (build) => {
      const content = new Uint8Array(8 * mebibyte).fill(97)
      return withSandbox(build, 'worker', 1, async (sandbox) => {
        await sandbox.writeFile('/tmp/file', content)
        const { length } = await sandbox.readFile('/tmp/file')
        if (length !== content.length) throw new Error(`${length} bytes were read of ${content.length}.`)
      })
    },
  },
  {
    name: 'mirror',
    does: 'Runs a command that writes one file of a mirrored directory of 1000 files.',
    start: async (build) => {
      const { ShellHost } = await build.load()
      const tree = new ProjectTree()
      const host = new ShellHost({ isolation: 'worker' })
      const sandbox = await host.open({ binds: [{ source: tree.root, destination: '/work' }] })
      let pass = 0
      const close = async () => {
        await host.close()
        tree[Symbol.dispose]()
      }
      return { run: () => expectOutput(sandbox, `echo ${pass++} > /work/written`, ''), things: 1, close }
    },
  },
  {
    name: 'bash',
    does: 'Runs `echo a` 20 times in a bash sandbox, one call after another.',
    start: async (build) => {
      const { ShellHost } = await build.load()
      const host = new ShellHost({ isolation: 'worker' })
      const sandbox = await host.open({ shell: 'bash' })
      const run = async () => {
        for (let call = 0; call < 20; call++) await expectOutput(sandbox, 'echo a', 'a\n')
      }
      return { run, things: 20, close: () => host.close() }
    },
  },
  {
    name: 'shared',
    does: 'Runs `echo a` in each of 200 sandboxes that share workers, all at once.',
    start: async (build) => {
      const { ShellHost } = await build.load()
      const host = new ShellHost({ isolation: 'shared' })
      const sandboxes = await Promise.all(Array.from({ length: 200 }, () => host.open()))
      const run = () => Promise.all(sandboxes.map((sandbox) => expectOutput(sandbox, 'echo a', 'a\n')))
      return { run, things: sandboxes.length, close: () => host.close() }
    },
  },
  {
    name: 'process',
    does: 'Runs `true` 20 times in a sandbox in a child process, one call after another.',
    start: (build) => withSandbox(build, 'process', 20, (sandbox) => inTurns(sandbox, 20, 1)),
  },
]

/** Work on one open sandbox. */
async function withSandbox(
  build: Build,
  isolation: Isolation,
  things: number,
  run: (sandbox: StrandsShellSandbox) => Promise<unknown>,
): Promise<Work> {
  const { ShellHost } = await build.load()
  const host = new ShellHost({ isolation })
  const sandbox = await host.open()
  return { run: () => run(sandbox), things, close: () => host.close() }
}

/** Runs `true` so many times, with `width` calls in flight. */
async function inTurns(sandbox: StrandsShellSandbox, calls: number, width: number): Promise<void> {
  let left = calls
  const lane = async () => {
    while (left-- > 0) await expectOutput(sandbox, 'true', '')
  }
  await Promise.all(Array.from({ length: width }, lane))
}

async function expectOutput(
  sandbox: StrandsShellSandbox | BashSandbox,
  command: string,
  expected: string,
): Promise<void> {
  const { exitCode, stdout } = await sandbox.execute(command)
  if (exitCode !== 0 || stdout !== expected)
    throw new Error(`${command} ended with ${exitCode} and printed ${JSON.stringify(stdout)}.`)
}

/** Starts a process on a build, waits for the output of its first command, and for its end. */
async function firstAnswer(url: string): Promise<void> {
  const file = fileURLToPath(new URL('./compare-answer-child.js', import.meta.url))
  const child = spawn(process.execPath, [file, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (output !== 'a\n') throw new Error(`A new process answered ${JSON.stringify(output)}.`)
}
