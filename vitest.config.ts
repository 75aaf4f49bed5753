import { defineConfig } from 'vitest/config'

/** Suites of what has no state of its own; those that replace modules are not among them. */
const stateless = [
  'test/argv/{bridge,code,shell}/**/*.test.ts',
  'test/{config,sandbox}/**/*.test.ts',
  'test/strands-shell/config/**/*.test.ts',
  'test/tools/**/*.test.ts',
  'test/types/**/*.test.ts',
  'test/worker/engines/strands/guards/**/*.test.ts',
  'test/worker/engines/strands/mirror/*.test.ts',
]

const shared = {
  // Sandboxes belong to a main thread, so each test file gets a process, not a worker.
  pool: 'forks',
  // More than the cores of a small machine: many tests wait most of their time.
  maxWorkers: 3,
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const

export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['test/global-setup.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: ['test/package/**', ...stateless],
        },
      },
      // Three processes for all of these, whose start and imports are half of what they cost.
      { test: { ...shared, name: 'together', include: stateless, isolate: false } },
    ],
  },
})
