import { type Argument, unknownArgument } from '../words.ts'
import type { Runner } from './context.ts'
import { takeApart } from './options.ts'

/** It runs its words as a command, with words of its input after them or put in. */
export const xargs: Runner = (args, context) => {
  const apart = takeApart(args, {
    flags: '0rtpxo',
    values: 'InPLsdEa',
    attached: 'iel',
    long: [
      '--null',
      '--no-run-if-empty',
      '--verbose',
      '--interactive',
      '--exit',
      '--open-tty',
      '--replace',
      '--max-lines',
      '--eof',
    ],
    longValues: ['--max-args', '--max-procs', '--max-chars', '--delimiter', '--arg-file'],
  })
  if (apart === undefined) return context.opaque('name')
  const { options, rest } = apart
  const mark = options.get('I') ?? options.get('i') ?? options.get('--replace')
  if (mark !== undefined) return context.run(withUnknown(rest, mark === '' ? '{}' : mark))
  if (rest.length > 0) context.run([...rest, unknownArgument('')])
}

/** Words of which those that hold a mark are only known at run time. */
export function withUnknown(words: readonly Argument[], mark: string): readonly Argument[] {
  return words.map((word) =>
    word.value === undefined || word.value.includes(mark)
      ? { ...unknownArgument(word.text), prefix: word.prefix.split(mark)[0] ?? '' }
      : word,
  )
}
