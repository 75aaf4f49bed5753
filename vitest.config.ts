import { defineConfig } from 'vitest/config'
import { builtSources } from './test/fixtures/build-sources.ts'

/** Tests that start no worker, cell or process, and need no build: `test/support/pure.ts` holds them to it. */
const unit = [
  'test/allowlist/*.test.ts',
  'test/argv/{arguments,factory,output-text}.test.ts',
  'test/argv/local/output-pipes.test.ts',
  'test/argv/shell/{filters,globs,respelling}.test.ts',
  'test/async/**/*.test.ts',
  'test/audit/{log,faults}.test.ts',
  'test/bash/config.test.ts',
  'test/bench/{arguments,report,statistics}.test.ts',
  'test/bubblewrap/arguments.test.ts',
  'test/cli/{change-directory,failure,lines}.test.ts',
  'test/cli/options/*.test.ts',
  'test/cli/repl/history.test.ts',
  'test/cluster/{deadline,placement,pulse}.test.ts',
  'test/config/**/*.test.ts',
  'test/docs/{contributing,errors,links,options,security}.test.ts',
  'test/engines/bash/**/*.test.ts',
  'test/engines/strands/{cache-directory,elf,trusted-path}.test.ts',
  'test/fuzz/{channel,config,elf,shapes,snapshot}.test.ts',
  'test/host/{admission.unit,command-limiter.unit,derive-places,dropped-places,levels,lifetime,options,quotas,saturation}.test.ts',
  'test/host/tenants/{fair-queue,options,tenants,token-bucket}.test.ts',
  'test/http/*.test.ts',
  'test/mcp/{host-options,resource-uri,sandbox-names}.test.ts',
  'test/network/{proxy-environment,rules,targets}.test.ts',
  'test/page/state/*.test.ts',
  'test/places/{open-request,room}.test.ts',
  'test/places/cells/{cell-environment,cell-loss,cell-supplies,cell-waiters,choose-placement,error-data,idle-cells,output-tail,recent-secrets}.test.ts',
  'test/channel/{content-file,contents,hostile-frames,joined-ports,outflow}.test.ts',
  'test/places/code/*.test.ts',
  'test/places/threads/idle-workers.test.ts',
  'test/policy/*.test.ts',
  'test/posix/{capped-text,marked-stream}.test.ts',
  'test/release/*.test.ts',
  'test/sandbox/!(contract|env|quoting|round-trips).test.ts',
  'test/secrets/canary.test.ts',
  'test/session/*.test.ts',
  'test/snapshot/{directory-store,format}.test.ts',
  'test/soak/{ledgers,bounds,loss-ledger,options,plot,random}.test.ts',
  'test/soak/cluster/promises.test.ts',
  'test/strands-shell/config/**/*.test.ts',
  'test/testing/*.test.ts',
  'test/tools/{approval,approval-from,descriptions,error-text,options,require-peer,text-edits,text-lines}.test.ts',
  'test/tools/output/*.test.ts',
  'test/types/**/*.test.ts',
  'test/worker/engines/strands/guards/{script-lexer,unaliased-test}.test.ts',
  'test/worker/engines/strands/mirror/{bounds,listing,locate,reach,script}.test.ts',
  'test/worker/host-files/{exclude,journal,ledger}.test.ts',
  'test/worker/service/**/*.test.ts',
]

/** Tests that replace modules, or look at what the whole process has: each file has a process of its own. */
const alone = [
  'test/engines/**/*.test.ts',
  'test/faults/matrix/**/*.test.ts',
  'test/fuzz/{cells,shell}.test.ts',
  'test/places/cells/{chaos,hardening,stall,surroundings}.test.ts',
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
  maxWorkers: 6,
  // Guards against hanging: longer than those of the tests' own waits, which say what did not come.
  testTimeout: 120_000,
  hookTimeout: 120_000,
} as const

/** Suites that share a few processes, by their folders. A process ends with its group: it fills up. */
const groups: Readonly<Record<string, readonly string[]>> = {
  shells: ['bash', 'escapes', 'strands-shell'],
  cells: ['places'],
  workers: ['worker'],
  tools: ['ai-sdk', 'argv', 'cli', 'langchain', 'mcp', 'openai-agents', 'posix', 'strands', 'tools'],
}
const grouped = Object.values(groups).flat().map(testsOf)

function testsOf(folder: string): string {
  return `test/${folder}/**/*.test.ts`
}

interface Suites {
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  /** True where each file has a process of its own: its start and imports are half of what a file costs. */
  readonly isolate?: boolean
  readonly setupFiles?: readonly string[]
}

function project(name: string, { include, exclude = [], isolate = false, setupFiles = [] }: Suites) {
  return {
    plugins: [builtSources],
    test: {
      ...shared,
      name,
      include: [...include],
      exclude: [...exclude],
      setupFiles: [...setupFiles, 'test/support/bytes-equality.ts', 'test/support/source-translation.ts'],
      isolate,
    },
  }
}

const others = ['test/package/**', ...unit, ...alone]
// What threads run of bash is compiled before the tests begin, and none of them compiles it for others.
const code = ['test/support/compiled-code.ts', 'test/support/no-code-makers.ts']
const watched = ['test/support/no-cells.ts', ...code]

export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['test/global-setup.ts'],
    projects: [
      project('unit', { include: unit, setupFiles: ['test/support/pure.ts'] }),
      ...Object.entries(groups).map(([name, folders]) =>
        project(name, { include: folders.map(testsOf), exclude: others, setupFiles: watched }),
      ),
      project('hosts', {
        include: ['test/**/*.test.ts'],
        exclude: [...others, ...grouped],
        setupFiles: watched,
      }),
      project('alone', { include: alone, exclude: unit, isolate: true, setupFiles: code }),
    ],
  },
})
