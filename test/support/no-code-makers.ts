import { beforeEach, vi } from 'vitest'
import { codeOfThreads } from '../../src/places/code/makers.ts'

// The thread that compiles code for later ones starts seconds after a bash sandbox: tests that watch threads would take it for their own.
beforeEach(() => {
  vi.spyOn(codeOfThreads, 'opened').mockReturnValue(undefined)
})
