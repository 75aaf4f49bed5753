import { type Entry, FindError, type FindRequest, type Test } from './nodes.ts'
import { printed } from './printf.ts'
import {
  aged,
  counted,
  linked,
  named,
  newerThanTime,
  pathed,
  permits,
  permitted,
  regex,
  sized,
  typed,
  typedBehindLinks,
} from './tests.ts'

/** When the file of a path was written last. */
type ModifiedOf = (path: string) => Promise<number>

const DAY = 86_400_000

/** Reads the words of `find`. @throws {FindError} */
export async function parseFind(args: readonly string[], modifiedOf: ModifiedOf): Promise<FindRequest> {
  const parser = new Parser(args, modifiedOf)
  return parser.request()
}

class Parser {
  readonly #words: readonly string[]
  readonly #modifiedOf: ModifiedOf
  #at = 0
  #acts = false
  #least = 0
  #most = Number.POSITIVE_INFINITY
  #depthFirst = false
  #syntax = 'emacs'

  constructor(words: readonly string[], modifiedOf: ModifiedOf) {
    this.#words = words
    this.#modifiedOf = modifiedOf
  }

  async request(): Promise<FindRequest> {
    let follow: FindRequest['follow'] = 'never'
    for (; /^-[PLH]$/.test(this.#words[this.#at] ?? ''); this.#at += 1)
      follow =
        ({ '-P': 'never', '-L': 'always', '-H': 'starts' } as const)[this.#words[this.#at] ?? ''] ?? follow
    const starts: string[] = []
    for (
      let word = this.#words[this.#at];
      word !== undefined && !/^-.|^[(!,)]$/.test(word);
      word = this.#words[this.#at]
    ) {
      starts.push(word)
      this.#at += 1
    }
    const expression = this.#at < this.#words.length ? await this.#list() : () => true
    if (this.#at < this.#words.length) {
      const word = this.#words[this.#at] ?? ''
      throw new FindError(
        word === ')' ? "you have too many ')'" : `paths must precede expression: \`${word}'`,
      )
    }
    const test: Test = this.#acts
      ? expression
      : async (entry, actions) => {
          if (!(await expression(entry, actions))) return false
          actions.print(`${entry.path}\n`)
          return true
        }
    return {
      starts: starts.length === 0 ? ['.'] : starts,
      test,
      least: this.#least,
      most: this.#most,
      depthFirst: this.#depthFirst,
      follow,
    }
  }

  async #list(): Promise<Test> {
    let left = await this.#or()
    while (this.#takes(',')) {
      const [first, second] = [left, await this.#or()]
      left = async (entry, actions) => {
        await first(entry, actions)
        return second(entry, actions)
      }
    }
    return left
  }

  async #or(): Promise<Test> {
    let left = await this.#and()
    while (this.#takes('-o') || this.#takes('-or')) {
      const [first, second] = [left, await this.#and()]
      left = async (entry, actions) => (await first(entry, actions)) || second(entry, actions)
    }
    return left
  }

  async #and(): Promise<Test> {
    let left = await this.#not()
    for (;;) {
      const word = this.#words[this.#at]
      if (word === undefined || word === '-o' || word === '-or' || word === ',' || word === ')') return left
      if (word === '-a' || word === '-and') this.#at += 1
      const [first, second] = [left, await this.#not()]
      left = async (entry, actions) => (await first(entry, actions)) && second(entry, actions)
    }
  }

  async #not(): Promise<Test> {
    if (this.#takes('!') || this.#takes('-not')) {
      const inner = await this.#not()
      return async (entry, actions) => !(await inner(entry, actions))
    }
    if (this.#takes('(')) {
      const inner = await this.#list()
      if (!this.#takes(')'))
        throw new FindError(
          "invalid expression; I was expecting to find a ')' somewhere but did not see one.",
        )
      return inner
    }
    return this.#primary()
  }

  #takes(word: string): boolean {
    if (this.#words[this.#at] !== word) return false
    this.#at += 1
    return true
  }

  #value(name: string): string {
    const value = this.#words[this.#at]
    if (value === undefined) throw new FindError(`missing argument to \`${name}'`)
    this.#at += 1
    return value
  }

  async #primary(): Promise<Test> {
    const name = this.#words[this.#at]
    if (name === undefined) throw new FindError('invalid expression; expected something behind the last word')
    this.#at += 1
    const test = this.#named(name) ?? (await this.#newer(name)) ?? this.#action(name)
    if (test !== undefined) return test
    throw new FindError(
      name.startsWith('-') ? `unknown predicate \`${name}'` : `paths must precede expression: \`${name}'`,
    )
  }

  #named(name: string): Test | undefined {
    const always: Test = () => true
    const value = () => this.#value(name)
    const now = Date.now()
    switch (name) {
      case '-name':
      case '-iname':
        return named(value(), name === '-iname')
      case '-path':
      case '-wholename':
      case '-ipath':
      case '-iwholename':
        return pathed(value(), name.startsWith('-i'))
      case '-lname':
      case '-ilname':
        return linked(value(), name === '-ilname')
      case '-regex':
      case '-iregex':
        return regex(value(), this.#syntax, name === '-iregex')
      case '-regextype':
        this.#syntax = value()
        return always
      case '-type':
        return typed(value())
      case '-xtype':
        return typedBehindLinks(value())
      case '-size':
        return sized(value())
      case '-perm':
        return permitted(value())
      case '-mtime':
      case '-atime':
      case '-ctime':
        return aged(value(), name, DAY, now)
      case '-mmin':
      case '-amin':
      case '-cmin':
        return aged(value(), name, 60_000, now)
      case '-links': {
        const matches = counted(value(), name)
        return ({ facts }) => matches(facts.kind === 'directory' ? 2 : 1)
      }
      case '-uid':
      case '-gid': {
        const matches = counted(value(), name)
        return () => matches(1000)
      }
      case '-user':
      case '-group': {
        const wanted = value()
        return () => wanted === 'user' || wanted === '1000'
      }
      case '-readable':
        return permits(0o400)
      case '-writable':
        return permits(0o200)
      case '-executable':
        return permits(0o111)
      case '-empty':
        return (entry, actions) => actions.isEmpty(entry)
      case '-true':
        return always
      case '-false':
      case '-nouser':
      case '-nogroup':
        return () => false
      default:
        return this.#option(name, always)
    }
  }

  #option(name: string, always: Test): Test | undefined {
    switch (name) {
      case '-maxdepth':
      case '-mindepth': {
        const text = this.#value(name)
        if (!/^\d+$/.test(text))
          throw new FindError(`Expected a positive decimal integer argument to ${name}, but got \`${text}'`)
        if (name === '-maxdepth') this.#most = Number(text)
        else this.#least = Number(text)
        return always
      }
      case '-depth':
      case '-d':
        this.#depthFirst = true
        return always
      case '-xdev':
      case '-mount':
      case '-noleaf':
      case '-daystart':
      case '-warn':
      case '-nowarn':
      case '-ignore_readdir_race':
        return always
      default:
        return undefined
    }
  }

  async #newer(name: string): Promise<Test | undefined> {
    if (/^-newer[amc]t$/.test(name)) return newerThanTime(this.#value(name))
    if (!/^-(newer([amc][amc])?|[ac]newer)$/.test(name)) return undefined
    const path = this.#value(name)
    const time = await this.#modifiedOf(path).catch(() => {
      throw new FindError(`‘${path}’: No such file or directory`)
    })
    return ({ facts }) => facts.modified.getTime() > time
  }

  #action(name: string): Test | undefined {
    const acts = this.#acts
    this.#acts = true
    switch (name) {
      case '-print':
        return printing((entry) => `${entry.path}\n`)
      case '-print0':
        return printing((entry) => `${entry.path}\0`)
      case '-printf': {
        const format = this.#value(name)
        return printing((entry) => printed(format, entry))
      }
      case '-fprint':
      case '-fprint0': {
        const path = this.#value(name)
        return (entry, actions) => {
          actions.write(path, `${entry.path}${name === '-fprint' ? '\n' : '\0'}`)
          return true
        }
      }
      case '-fprintf': {
        const [path, format] = [this.#value(name), this.#value(name)]
        return (entry, actions) => {
          actions.write(path, printed(format, entry))
          return true
        }
      }
      case '-ls':
        return printing((entry) => printed('%7n %6k %M %3n %-8u %-8g %8s %Tb %2Td %TH:%TM %p\n', entry))
      case '-delete':
        this.#depthFirst = true
        return (entry, actions) => actions.remove(entry)
      case '-exec':
      case '-execdir':
      case '-ok':
      case '-okdir':
        return this.#exec(name)
      case '-prune':
        this.#acts = acts
        return (_entry, actions) => {
          actions.prune()
          return true
        }
      case '-quit':
        this.#acts = acts
        return (_entry, actions) => actions.quit()
      default:
        this.#acts = acts
        return undefined
    }
  }

  #exec(name: string): Test {
    const words: string[] = []
    for (;;) {
      const word = this.#value(name)
      if (word === ';') break
      if (word === '+' && words.at(-1) === '{}') return this.#together(words.slice(0, -1), name)
      words.push(word)
    }
    if (words.length === 0) throw new FindError(`missing argument to \`${name}'`)
    // Nobody is asked here.
    if (name.startsWith('-ok')) return () => false
    const inFolder = name === '-execdir'
    return (entry, actions) => {
      const path = inFolder ? `./${entry.path.split('/').at(-1)}` : entry.path
      return actions.run(
        words.map((word) => word.replaceAll('{}', () => path)),
        inFolder ? folderOf(entry) : undefined,
      )
    }
  }

  #together(words: readonly string[], name: string): Test {
    return (entry, actions) => {
      const inFolder = name === '-execdir'
      const path = inFolder ? `./${entry.path.split('/').at(-1)}` : entry.path
      actions.collect(words, path, inFolder ? folderOf(entry) : undefined)
      return true
    }
  }
}

const folderOf = ({ full }: Entry) => full.replace(/\/[^/]*$/, '') || '/'

const printing =
  (text: (entry: Entry) => string): Test =>
  (entry, actions) => {
    actions.print(text(entry))
    return true
  }
