import { vi } from 'vitest'

// Tests that run the worker's source have no built file beside it: the translation is its source too.
vi.mock('../../worker/engines/strands/translate/load.ts', async () => {
  const entry = await import('../../worker/engines/strands/translate/entry.ts')
  return { loadTranslation: () => entry }
})
