import { defineConfig } from 'vitest/config'

/** The built package, as its users get it: run after `npm run build`. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['test/package/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
