import { useMemoryDirectory } from '../fixtures/memory-directory.ts'

/** The package is installed in memory: most of an installation is files. */
export default useMemoryDirectory
