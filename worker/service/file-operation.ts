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
