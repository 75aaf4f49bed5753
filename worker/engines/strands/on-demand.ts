/**
 * What most sessions do without: it is built into a file of its own, which is loaded by those who need it, since a
 * new worker's start is mostly the reading of its code.
 */
export { openCheckpoint } from './checkpoint/open-checkpoint.ts'
export { putTree } from './checkpoint/put-tree.ts'
export { readConfigFile } from './config-file.ts'
export { prepareMirrors } from './mirror/open-mirrors.ts'
export { copyPlace } from './places/copy.ts'
export { makeDirectory } from './places/make-directory.ts'
export { movePlace } from './places/move.ts'
export { removeTree } from './places/remove-tree.ts'
export { statPlace } from './places/stat.ts'
export { putDirectories } from './start/put-directories.ts'
