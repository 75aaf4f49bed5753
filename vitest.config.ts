import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**'],
    globalSetup: ['test/global-setup.ts'],
    // Sandboxes belong to a main thread, so each test file gets a process, not a worker.
    pool: 'forks',
    // More than the cores of a small machine: many tests wait most of their time.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
