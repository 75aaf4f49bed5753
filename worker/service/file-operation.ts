/** The calls on files, by their names. */
export type FileOperation =
  | 'readFile'
  | 'writeFile'
  | 'appendFile'
  | 'removeFile'
  | 'makeDirectory'
  | 'move'
  | 'copy'
  | 'listFiles'
  | 'stat'

/** Whether an operation is made to change files. */
export function changesFiles(operation: FileOperation): boolean {
  return operation !== 'readFile' && operation !== 'listFiles' && operation !== 'stat'
}
