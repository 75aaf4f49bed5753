import { encode } from '../text/bytes.ts'
import { type Answer, bytes, failed, type OwnCommand, readInput, reason } from './command.ts'

interface CutOptions {
  kind: 'b' | 'c' | 'f' | undefined
  list: string
  /** Default: a tab. */
  delimiter: string | undefined
  output: string | undefined
  onlyDelimited: boolean
  complement: boolean
  ends: string
  readonly paths: string[]
}

const LONG: Readonly<Record<string, string>> = {
  '--bytes': 'b',
  '--characters': 'c',
  '--fields': 'f',
  '--delimiter': 'd',
  '--only-delimited': 's',
  '--zero-terminated': 'z',
}

function read(args: readonly string[]): CutOptions | string {
  const found: CutOptions = {
    kind: undefined,
    list: '',
    delimiter: undefined,
    output: undefined,
    onlyDelimited: false,
    complement: false,
    ends: '\n',
    paths: [],
  }
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const long = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word)
    if (word === '--') {
      found.paths.push(...words)
      break
    }
    if (long?.[1] === '--complement') found.complement = true
    else if (long?.[1] === '--output-delimiter') found.output = long[2] ?? words.shift() ?? ''
    else if (long !== null) {
      const letter = LONG[long[1] ?? '']
      if (letter === undefined) return `unrecognized option '${word}'`
      const wrong = option(letter, 'bcfd'.includes(letter) ? (long[2] ?? words.shift() ?? '') : '', found)
      if (wrong !== undefined) return wrong
    } else if (!word.startsWith('-') || word === '-') found.paths.push(word)
    else {
      for (let at = 1; at < word.length; at += 1) {
        const letter = word[at] ?? ''
        const takes = 'bcfd'.includes(letter)
        const value = takes ? word.slice(at + 1) || (words.shift() ?? '') : ''
        const wrong = option(letter, value, found)
        if (wrong !== undefined) return wrong
        if (takes) break
      }
    }
  }
  return found
}

function option(letter: string, value: string, found: CutOptions): string | undefined {
  if (letter === 's') found.onlyDelimited = true
  else if (letter === 'z') found.ends = '\0'
  else if (letter === 'd') {
    if ([...value].length > 1) return 'the delimiter must be a single character'
    found.delimiter = value === '' ? '\0' : value
  } else if (letter === 'b' || letter === 'c' || letter === 'f') {
    if (found.kind !== undefined) return 'only one list may be specified'
    found.kind = letter
    found.list = value
  } else if (letter !== 'n') return `invalid option -- '${letter}'`
  return undefined
}

type Ranges = readonly (readonly [from: number, to: number])[]

function rangesOf(list: string): Ranges | undefined {
  const ranges: [number, number][] = []
  for (const part of list.split(/[, ]/)) {
    const match = /^(\d*)(-?)(\d*)$/.exec(part)
    if (match === null || part === '' || part === '-') return undefined
    const from = match[1] === '' ? 1 : Number(match[1])
    const to = match[2] === '' ? from : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3])
    if (from < 1 || to < from) return undefined
    ranges.push([from, to])
  }
  return ranges
}

/** `cut -b|-c|-f list`: characters are bytes, as in GNU cut. */
export const cut: OwnCommand = {
  name: 'cut',
  async run(args, context): Promise<Answer> {
    const options = read(args)
    if (typeof options === 'string') return failed('cut', options)
    if (options.kind === undefined)
      return failed('cut', 'you must specify a list of bytes, characters, or fields')
    if (options.kind !== 'f' && options.delimiter !== undefined)
      return failed('cut', 'an input delimiter may be specified only when operating on fields')
    const ranges = rangesOf(options.list)
    if (ranges === undefined) return failed('cut', `invalid list '${options.list}'`)
    const isChosen = (place: number) =>
      ranges.some(([from, to]) => place >= from && place <= to) !== options.complement
    // Input is bytes as latin1, and so must be what is compared with it.
    const delimiter = encode(options.delimiter ?? '\t')
    const output = options.output === undefined ? undefined : encode(options.output)
    const one = (line: string): string | undefined => {
      if (options.kind !== 'f') return characters(line, isChosen, output)
      if (!line.includes(delimiter)) return options.onlyDelimited ? undefined : line
      return line
        .split(delimiter)
        .filter((_, at) => isChosen(at + 1))
        .join(output ?? delimiter)
    }
    let text = ''
    for (const path of options.paths.length === 0 ? ['-'] : options.paths) {
      try {
        const lines = (await readInput(path, context)).split(options.ends)
        if (lines.at(-1) === '') lines.pop()
        for (const line of lines) {
          const kept = one(line)
          if (kept !== undefined) text += kept + options.ends
        }
      } catch (error) {
        return { ...bytes(text, 1), stderr: `cut: ${path}: ${reason(error)}\n` }
      }
    }
    return bytes(text)
  },
}

/** Runs of chosen bytes, with `between` between them. */
function characters(line: string, isChosen: (place: number) => boolean, between = ''): string {
  const runs: string[] = []
  let run = ''
  for (let at = 0; at < line.length; at += 1) {
    if (isChosen(at + 1)) run += line[at]
    else if (run !== '') {
      runs.push(run)
      run = ''
    }
  }
  return [...runs, ...(run === '' ? [] : [run])].join(between)
}
