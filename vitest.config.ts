import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**'],
    globalSetup: ['test/global-setup.ts'],
    // Sandboxes belong to a main thread, so each test file gets a process, not a worker.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
