import { AwkError } from './error.ts'
import type { Machine } from './machine.ts'
import { Source } from './streams.ts'
import { toNumber, toText } from './values.ts'

/** What the names on the command line give, one record after another. */
export class MainInput {
  readonly #stdin: string
  readonly #read: (path: string) => Promise<string>
  #source: Source | undefined
  #at = 1
  #anyFile = false

  /** @param assign - carries out `name=text` of the command line. */
  readonly #assign: (name: string, text: string) => void

  constructor(
    stdin: string,
    read: (path: string) => Promise<string>,
    assign: (name: string, text: string) => void,
  ) {
    this.#stdin = stdin
    this.#read = read
    this.#assign = assign
  }

  async next(machine: Machine): Promise<string | undefined> {
    for (;;) {
      this.#source ??= await this.#open(machine)
      if (this.#source === undefined) return undefined
      const record = this.#source.next(separator(machine))
      if (record !== undefined) {
        machine.setSpecial('RT', record.end)
        machine.setSpecial('NR', toNumber(machine.special('NR')) + 1)
        machine.setSpecial('FNR', toNumber(machine.special('FNR')) + 1)
        return record.text
      }
      this.#source = undefined
    }
  }

  /** Leaves the rest of the file that is read. */
  skipFile(): void {
    this.#source = new Source('')
  }

  async #open(machine: Machine): Promise<Source | undefined> {
    const names = machine.specialArray('ARGV')
    while (this.#at < toNumber(machine.special('ARGC'))) {
      const name = toText(names.get(String(this.#at)) ?? '')
      this.#at += 1
      const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(name)
      if (assignment !== null) this.#assign(assignment[1] ?? '', assignment[2] ?? '')
      else if (name !== '') return this.#begin(machine, name)
    }
    return this.#anyFile ? undefined : this.#begin(machine, '')
  }

  async #begin(machine: Machine, name: string): Promise<Source> {
    this.#anyFile = true
    machine.setSpecial('FNR', 0)
    machine.setSpecial('FILENAME', name)
    const isStdin = name === '' || name === '-' || name === '/dev/stdin'
    return new Source(isStdin ? this.#stdin : await this.#read(name))
  }
}

/** What ends a record, by RS. */
function separator(machine: Machine): string | RegExp {
  const text = machine.text(machine.special('RS'))
  return text.length <= 1 ? text : machine.regex(text)
}

/** Reads for `getline`. @returns the record; 0 at the end, -1 where it cannot be read. */
export async function readRecord(
  machine: Machine,
  from: 'main' | 'file' | 'command',
  name: string,
): Promise<string | number> {
  if (from === 'main') return (await machine.main?.next(machine)) ?? 0
  if (name === '') throw new AwkError('getline from a name that is empty')
  if (from === 'file' && name === '-') return (await machine.main?.next(machine)) ?? 0
  const source = await machine.streams.source(from, name)
  if (source === undefined) return -1
  const record = source.next(separator(machine))
  if (record === undefined) return 0
  if (from === 'command') machine.setSpecial('NR', toNumber(machine.special('NR')) + 1)
  return record.text
}
