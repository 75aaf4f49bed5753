import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { WORKER_SPACE } from '../host-engine.ts'
import { addressSpaceLeft } from './address-space.ts'
import { BorrowedVariable } from './borrowed-variable.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB
/** What Rust gives a thread when nobody asks for more. */
const RUST_DEFAULT = 2 * MIB
const SMALLEST = 16 * MIB
/** 1 GiB holds every nesting that fits the engine's default input limit, 16 MiB a plain endless recursion. */
const SIZES = [GIB, 256 * MIB, SMALLEST]

/** For how many sandboxes a stack size must leave room. */
const SANDBOXES = 16
/** A shell has its own thread, and its build takes another. */
const STACKS_A_SANDBOX = 2

const VARIABLE = 'RUST_MIN_STACK'
const WARNING_CODE = 'STRANDS_SHELL_NATIVE_STACK'
const MAPPED_ADDON = /\/[^/\n]*strands-shell[^/\n]*\.node(?: \(deleted\))?$/m

interface StackPlan {
  readonly size: number
  /** What must be set for it. */
  readonly variables: readonly BorrowedVariable[]
  readonly warning?: string
}

/** Shells have threads of their own; one that carries calls to them and back is quicker than several that steal from each other. */
const oneCarrier = new BorrowedVariable('TOKIO_WORKER_THREADS', '1')

let plan: StackPlan | undefined
let warned = false
/** Builds under way that need the variable. */
let preparing = 0
/** The engine has started its first thread: the size can no longer change. */
let settled = false

/**
 * Sizes the stacks of the engine's threads through `RUST_MIN_STACK`, unless the user has set it: 1 GiB,
 * reserved and not used, or less where the process's address space is limited. Likewise has the engine carry its calls
 * on one thread (`TOKIO_WORKER_THREADS`). Call it before every
 * build, and {@link restoreNativeThreads} after it; from the first build that worked on, both do nothing.
 * Where it is too late, or the process's environment is out of reach, one warning
 * (`STRANDS_SHELL_NATIVE_STACK`) says so.
 *
 * Also sets `RUST_BACKTRACE` to `0` where it is something else, and leaves it so: Rust reads it at an
 * engine's first panic, whenever that is, and would print a backtrace on this process's stderr.
 */
export function prepareNativeThreads(): void {
  if (settled) return
  plan ??= planStack()
  if (plan.warning !== undefined && !warned) {
    warned = true
    process.emitWarning(plan.warning, { code: WARNING_CODE })
  }
  const backtrace = process.env['RUST_BACKTRACE']
  if (backtrace !== undefined && backtrace !== '0') process.env['RUST_BACKTRACE'] = '0'
  preparing += 1
  for (const variable of plan.variables) variable.set()
}

/**
 * Ends what {@link prepareNativeThreads} began. After a build that worked the size sticks, so
 * what was set is taken out of the environment again, and child processes do not inherit it; after
 * one that failed, only when no other is under way.
 *
 * @param built - whether the engine built a shell. Default: true.
 */
export function restoreNativeThreads(built = true): void {
  if (settled || preparing === 0) return
  preparing -= 1
  settled = built
  if (!settled && preparing > 0) return
  for (const variable of plan?.variables ?? []) variable.unset()
}

/** Bytes of stack that each of the engine's threads has, or will have once it is loaded. */
export function nativeStackSize(): number {
  return (plan ?? planStack()).size
}

function planStack(): StackPlan {
  const chosen = process.env[VARIABLE]
  if (chosen !== undefined) return { size: parseSize(chosen), variables: [oneCarrier] }
  const remedy = `Set ${VARIABLE}=${GIB} in the environment that the process starts with.`
  const danger = 'deeply nested or endlessly recursive commands can then end the process.'
  if (!isMainThread) {
    const warning = `The engine's thread stacks cannot be sized from a worker thread; ${danger} ${remedy}`
    return { size: RUST_DEFAULT, variables: [], warning }
  }
  if (isEngineMapped()) {
    const warning = `The engine was loaded before its thread stacks could be sized; ${danger} ${remedy}`
    return { size: RUST_DEFAULT, variables: [], warning }
  }
  const space = addressSpaceLeft()
  const size = SIZES.find((candidate) => spaceFor(candidate) <= space) ?? SMALLEST
  const variables = [new BorrowedVariable(VARIABLE, String(size)), oneCarrier]
  if (size === GIB) return { size, variables }
  const warning =
    `The process's address space is limited, so the engine's thread stacks have ${size / MIB} MiB instead of 1024; ` +
    `${danger} Raise the limit (ulimit -v, ulimit -d) by ${Math.ceil((spaceFor(GIB) - space) / GIB)} GiB.`
  return { size, variables, warning }
}

function spaceFor(stack: number): number {
  return SANDBOXES * (WORKER_SPACE + STACKS_A_SANDBOX * stack) + availableParallelism() * stack
}

/** As Rust reads it: what is not a number is ignored. */
function parseSize(value: string): number {
  return /^\+?\d+$/.test(value) ? Number(value) : RUST_DEFAULT
}

function isEngineMapped(): boolean {
  try {
    return MAPPED_ADDON.test(readFileSync('/proc/self/maps', 'latin1'))
  } catch {
    // No /proc: nothing shows that it is too late.
    return false
  }
}
