import { defineConfig } from 'vitest/config'

/** Tests that start no worker, cell or process, and need no build: `test/support/pure.ts` holds them to it. */
const unit = [
  'test/allowlist/*.test.ts',
  'test/argv/{arguments,factory,output-text}.test.ts',
  'test/argv/local/output-pipes.test.ts',
  'test/argv/shell/{filters,globs,respelling}.test.ts',
  'test/async/**/*.test.ts',
  'test/bash/config.test.ts',
  'test/bench/{arguments,report,statistics}.test.ts',
  'test/cli/{failure,lines}.test.ts',
  'test/cli/options/*.test.ts',
  'test/cli/repl/history.test.ts',
  'test/config/**/*.test.ts',
  'test/docs/{contributing,errors,links,options,security}.test.ts',
  'test/engines/bash/**/*.test.ts',
  'test/engines/strands/{cache-directory,elf,trusted-path}.test.ts',
  'test/fuzz/{channel,config,elf,shapes}.test.ts',
  'test/host/{admission.unit,lifetime,options,quotas,saturation}.test.ts',
  'test/mcp/{host-options,resource-uri}.test.ts',
  'test/network/{proxy-environment,rules,targets}.test.ts',
  'test/places/{open-request,room}.test.ts',
  'test/places/cells/{cell-environment,cell-supplies,cell-waiters,choose-placement,error-data,idle-cells,output-tail,recent-secrets}.test.ts',
  'test/places/cells/channel/{hostile-frames,outflow}.test.ts',
  'test/places/threads/idle-workers.test.ts',
  'test/posix/{capped-text,marked-stream}.test.ts',
  'test/release/*.test.ts',
  'test/sandbox/!(contract|env|quoting|round-trips).test.ts',
  'test/secrets/canary.test.ts',
  'test/session/*.test.ts',
  'test/soak/{ledgers,bounds,loss-ledger,options,plot,random}.test.ts',
  'test/strands-shell/config/**/*.test.ts',
  'test/tools/{approval,descriptions,error-text,options,require-peer,text-edits,text-lines}.test.ts',
  'test/tools/output/*.test.ts',
  'test/types/**/*.test.ts',
  'test/worker/engines/strands/guards/{script-lexer,unaliased-test}.test.ts',
  'test/worker/engines/strands/mirror/{bounds,listing,locate,script}.test.ts',
  'test/worker/host-files/{exclude,journal,ledger}.test.ts',
  'test/worker/service/*.test.ts',
]

/** Tests that replace modules, or look at what the whole process has: each file has a process of its own. */
const alone = [
  'test/engines/**/*.test.ts',
  'test/faults/matrix/**/*.test.ts',
  'test/fuzz/{cells,shell}.test.ts',
  'test/places/cells/**/*.test.ts',
  'test/secrets/config-file.test.ts',
  'test/soak/run-soak.test.ts',
  'test/faults/{closed-collected,event-loop-stall,garbage-collection,host-drain,many-dropped}.test.ts',
  'test/strands-shell/summary.test.ts',
  'test/worker/host-files/{faults,live-races,races}.test.ts',
]

const shared = {
  // Sandboxes belong to a main thread, so each test file gets a process, not a worker.
  pool: 'forks',
  // More than the cores of a small machine: many tests wait most of their time.
  maxWorkers: 4,
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const

const sourceTranslation = 'test/support/source-translation.ts'

/** Suites that share a few processes, whose start and imports are half of what they cost. A process ends with its group: it fills up. */
function together(name: string, include: readonly string[], exclude: readonly string[] = []) {
  const test = {
    ...shared,
    name,
    include: [...include],
    exclude: ['test/package/**', ...unit, ...alone, ...exclude],
    setupFiles: [sourceTranslation],
    isolate: false,
  }
  return { test }
}

export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['test/global-setup.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: unit,
          setupFiles: ['test/support/pure.ts', sourceTranslation],
          isolate: false,
        },
      },
      together('shells', ['test/{bash,escapes,strands-shell}/**/*.test.ts']),
      together('workers', ['test/worker/**/*.test.ts']),
      together('tools', [
        'test/{ai-sdk,argv,cli,langchain,mcp,openai-agents,posix,strands,tools}/**/*.test.ts',
      ]),
      together(
        'hosts',
        ['test/**/*.test.ts'],
        [
          'test/{bash,escapes,strands-shell,worker}/**',
          'test/{ai-sdk,argv,cli,langchain,mcp,openai-agents,posix,strands,tools}/**',
        ],
      ),
      {
        test: {
          ...shared,
          name: 'alone',
          include: alone,
          exclude: unit,
          setupFiles: [sourceTranslation],
        },
      },
    ],
  },
})
