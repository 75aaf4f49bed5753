import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { onHost } from '../../src/cli/batch/on-host.ts'
import { readJob } from '../../src/cli/batch/read-job.ts'
import { CliError, failureText } from '../../src/cli/failure.ts'
import { readConfigFile } from '../../src/cli/options/config-file.ts'
import { SandboxConfigError, ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { within } from '../faults/helpers.ts'
import { expectDocumented, expectShowable, outcomeOf } from './support/documented.ts'
import { engineFile, jsonFile, tomlFile } from './support/files.ts'
import { fuzz } from './support/fuzz.ts'

const directory = mkdtempSync(join(tmpdir(), 'fuzz-files-'))
afterAll(() => rmSync(directory, { recursive: true }))

for (const [kind, input, valid] of [
  ['json', jsonFile, '{ "timeout": 5 }'],
  ['toml', tomlFile, 'timeout = 5'],
] as const) {
  const path = join(directory, `config.${kind}`)
  const ends = { read: 0, refused: 0 }
  fuzz({
    target: 'files',
    title: `a ${kind} config is read, or refused with exit code 2 and where it is wrong`,
    cases: 220,
    input,
    examples: [Buffer.from(valid)],
    holds: async (bytes) => {
      writeFileSync(path, bytes)
      const start = performance.now()
      try {
        const config = await readConfigFile(path, 'strands')
        ends.read += 1
        expect(new StrandsShellSandbox(Object(config)).status).toBe('new')
      } catch (error) {
        ends.refused += 1
        expectUsage(error)
      }
      expect(performance.now() - start).toBeLessThan(5000)
    },
    ends: () => [ends.read, ends.refused],
  })
}

const jobs = { read: 0, refused: 0 }
fuzz({
  target: 'files',
  title: 'a line of a batch is a job, or says in words why it is none',
  cases: 300,
  input: jsonFile,
  holds: (bytes) => {
    const { fault, start } = readJob(1, Buffer.from(bytes), onHost(host, { shell: 'strands' }))
    expect(start === undefined).toBe(fault !== undefined)
    if (fault === undefined) jobs.read += 1
    else {
      jobs.refused += 1
      expectShowable(failureText(new CliError(fault, 2)), false)
    }
  },
  ends: () => [jobs.refused],
})

/** The command line's refusal, as it is shown. */
function expectUsage(error: unknown): void {
  if (!(error instanceof CliError)) throw error
  expect(error.exitCode).toBe(2)
  expectShowable(failureText(error), false)
  if (error.cause instanceof SandboxConfigError) expectDocumented(error.cause)
}

const host = new ShellHost({ isolation: 'shared' })
afterAll(() => host.close())
const configFile = join(directory, 'engine.toml')
const opened = { open: 0, refused: 0 }

fuzz({
  target: 'files',
  title: "an engine's own config file opens a sandbox, or is refused as a config; the host stays well",
  cases: 40,
  input: engineFile,
  holds: async (bytes) => {
    writeFileSync(configFile, bytes)
    const end = await within(
      60,
      outcomeOf(() => host.open({ configFile })),
    )
    if ('value' in end) {
      opened.open += 1
      expect(await within(60, end.value.execute('echo well', { cwd: '/' }))).toMatchObject({
        type: 'executionResult',
      })
      await end.value.close()
    } else {
      opened.refused += 1
      expect(end.error.code).toBe('INVALID_CONFIG')
    }
  },
  ends: () => [opened.open, opened.refused],
  after: async () => {
    expect((await host.run('echo well')).stdout).toBe('well\n')
  },
})
