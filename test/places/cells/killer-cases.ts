import { expect } from 'vitest'
import type { StrandsShellConfig } from '../../../src/index.ts'
import { lostBy } from './helpers.ts'

/** An input that ends, bloats or hangs a process that runs it in itself, and what its caller is told. */
export interface Killer {
  readonly name: string
  readonly command: string
  /** MiB; where not 2048. */
  readonly maxCellMemory?: number
  /** An exit code, or what is told of the error. */
  readonly told: unknown
  /** What goes with it. */
  readonly takes: 'nothing' | 'the session' | 'the cell'
}

/** A command that runs on whatever its deadline says. */
export interface Endless {
  readonly name: string
  readonly command: string
  /** True where its deadline may end it, on a slow machine. */
  readonly mayEnd?: boolean
  /** True where it takes a core until its cell ends, as the first one that does stands for in the default tier. */
  readonly computes?: boolean
}

const depth = 20_000

function nested(open: string, times: number, close: string, inside = 'true'): string {
  return open.repeat(times) + inside + close.repeat(times)
}

/** A cell was killed for its memory: the figures are in the message. */
const tooLarge = {
  name: 'MemoryLimitError',
  code: 'MEMORY_LIMIT',
  cause: 'CELL_MEMORY',
  why: expect.stringMatching(/^The cell was killed: it held \d+ MiB \(maxCellMemory: \d+ MiB\)\.$/),
}

function dies(signal: string): unknown {
  return lostBy('CELL_EXITED', `^The cell was ended by ${signal}\\.$`)
}

/** Memory past every limit: where the bound is, is the host's. */
function bloat(name: string, command: string): Killer {
  return { name: `memory: ${name}`, command, maxCellMemory: 512, told: tooLarge, takes: 'the cell' }
}

/** Stack overflows that a stack of 1 GiB holds; on a slow machine their deadline ends them first, with 124. */
function deep(name: string, command: string, exitCode: number): Killer {
  return { name: `stack: ${name}`, command, told: expect.toBeOneOf([exitCode, 124]), takes: 'nothing' }
}

export const killers: readonly Killer[] = [
  deep('a function that calls itself', 'f(){ f; }; f', 1),
  deep('20k (', nested('(', depth, ')'), 2),
  deep('50k {', nested('{ ', 50_000, '; }'), 0),
  deep('20k if', nested('if true; then ', depth, '; fi'), 124),
  deep('20k ${a:-', `echo ${nested('${a:-', depth, '}')}`, 0),
  deep('500k (', nested('(', 500_000, ')'), 2),
  deep('100k $((', `echo ${nested('$((', 100_000, '))', '1')}`, 2),
  {
    name: 'stack: jq that calls itself',
    command: "jq -n 'def f: [f]; f'",
    told: 2,
    takes: 'nothing',
  },
  {
    name: 'allocation: tail -n',
    command: 'echo a | tail -n 100000000000',
    told: dies('SIGABRT'),
    takes: 'the cell',
  },
  {
    name: 'allocation: jq',
    command: `jq -n '"x"*100000000000'`,
    told: 2,
    takes: 'nothing',
  },
  bloat('x=$x$x', 'x=a; while :; do x=$x$x; done'),
  bloat('head -n1 /dev/zero', 'head -n1 /dev/zero'),
  { name: 'memory: printf', command: 'printf %100000000000s', told: 2, takes: 'nothing' },
  bloat('io.write', `lua -e 'while true do io.write(("x"):rep(1000000)) end'`),
  bloat('io.stderr', `lua -e 'while true do io.stderr:write(("x"):rep(1000000)) end'`),
  {
    name: 'panic: a division',
    command: 'find /tmp -maxdepth 0 -exec [ a = ] \\;',
    told: lostBy('ENGINE_PANIC', 'panicked'),
    takes: 'the session',
  },
  { name: 'panic: [ a = ]', command: '[ a = ]', told: 2, takes: 'nothing' },
  { name: 'bare lua', command: 'lua', told: 1, takes: 'nothing' },
]

/** What no deadline of the engine ends. `hanging`: a server that takes connections and says nothing. */
export function endless(hanging: string): readonly Endless[] {
  return [
    { name: 'curl to a server that hangs', command: `curl ${hanging}` },
    { name: 'cat /dev/zero', command: 'cat /dev/zero >/dev/null' },
    {
      name: 'a Lua pcall loop',
      command: `lua -e 'while true do pcall(function() while true do end end) end'`,
      computes: true,
    },
    {
      name: 'a Lua script that runs itself',
      command: `echo 'os.execute("lua /tmp/a")' > /tmp/a; lua /tmp/a`,
      mayEnd: true,
    },
    {
      name: 'a glob',
      command: `eval 'touch /tmp/${'a'.repeat(120)}; echo /tmp/${'*a'.repeat(10)}b'`,
      computes: true,
    },
    { name: 'a FIFO in a direct bind', command: 'cat /fifo/pipe' },
  ]
}

/** What a sandbox needs for {@link endless}. */
export function endlessConfig(hanging: string, directory: string): StrandsShellConfig {
  return {
    allowedUrls: [hanging],
    binds: [{ source: directory, destination: '/fifo', readonly: true }],
  }
}
