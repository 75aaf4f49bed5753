import { errorMessage } from '../../../service/error-message.ts'
import { encode } from '../text/bytes.ts'
import type { Answer, OwnCommand } from './command.ts'
import { Fatal, PatchFiles } from './patch-files.ts'
import { applyHunks, fits, type HunkOutcome, reversed } from './patch-hunks.ts'
import { type PatchOptions, readPatchOptions } from './patch-options.ts'
import { rejectsText } from './patch-rejects.ts'
import { namesOf, strippedName, targetOf } from './patch-target.ts'
import { type FilePatch, readPatch } from './patch-text.ts'

const TROUBLE = 2

/** `patch [-p N] [-R] [-N] [--dry-run] [file [patch]]` of GNU, for unified diffs, those of git, and normal ones. */
export const patch: OwnCommand = {
  name: 'patch',
  async run(args, context): Promise<Answer> {
    const options = readPatchOptions(args)
    if ('stdout' in options) return options
    let run: PatchRun | undefined
    try {
      run = new PatchRun(options, await PatchFiles.of(options.directory, context))
      await run.all()
      return { stdout: encode(run.stdout), stderr: '', exitCode: run.status, stdoutKind: 'bytes' }
    } catch (error) {
      if (!(error instanceof Fatal)) throw error
      const stderr = `patch: **** ${error.message}\n`
      return { stdout: encode(run?.stdout ?? ''), stderr, exitCode: TROUBLE, stdoutKind: 'bytes' }
    }
  },
}

class PatchRun {
  readonly #options: PatchOptions
  readonly #files: PatchFiles
  stdout = ''
  status = 0

  constructor(options: PatchOptions, files: PatchFiles) {
    this.#options = options
    this.#files = files
  }

  async all(): Promise<void> {
    const { patch: path, keepsReturns } = this.#options
    const text = await this.#files.read(path, `Can't open patch file ${path}`)
    const endsWithReturns = /^(?:---|\+\+\+) .*\r$/m.test(text) && !keepsReturns
    if (endsWithReturns) this.#tell('(Stripping trailing CRs from patch; use --binary to disable.)\n')
    const patches = patchesOf(endsWithReturns ? text.replaceAll('\r\n', '\n') : text)
    const unnamed = patches.some(({ before, after, renamed }) => !before.path && !after.path && !renamed)
    if (text.trim() !== '' && (patches.length === 0 || (unnamed && this.#options.file === undefined)))
      throw new Fatal('Only garbage was found in the patch input.')
    for (const one of patches) await this.#apply(one)
  }

  async #apply(written: FilePatch): Promise<void> {
    const { file, strip, isTrial, output, isReverse } = this.#options
    const given = isReverse ? turned(written) : written
    const makesFile = given.hunks.every(({ lines }) => lines.every(({ mark }) => mark === '+'))
    const names = namesOf(written, strip)
    const target = file ?? (await targetOf(names, makesFile, (path) => this.#files.isFile(path)))
    if (target === undefined) return this.#skip(written)
    const isThere = await this.#files.isFile(target)
    const text = isThere ? await this.#files.read(target, `Can't open file ${target}`) : ''
    if (given.before.isAbsent && text !== '' && given.hunks.length > 0) {
      this.#tell(`The next patch would create the file ${target},\nwhich already exists!`, true)
      const then = this.#whenApplied()
      if (then === 'skip') return this.#ignore(given, undefined)
      return this.#change(then === 'reverse' ? turned(given) : given, { target, text, isThere })
    }
    const [, renamed] = given.renamed ?? []
    const from = output === undefined ? renamed && ` (renamed from ${target})` : ` (read from ${target})`
    this.#tell(`${isTrial ? 'checking' : 'patching'} file ${output ?? renamed ?? target}${from ?? ''}\n`)
    if (given.fault !== undefined) throw new Fatal(given.fault)
    if (given.isCut) this.#tell('patch unexpectedly ends in middle of line\n', true)
    const [first] = given.hunks
    const lines = linesOf(text)
    const wasApplied =
      first !== undefined &&
      this.#options.whereApplied !== 'apply' &&
      !fits(lines, first, this.#options) &&
      fits(lines, reversed(first), this.#options)
    if (!wasApplied) return this.#change(given, { target, text, isThere })
    this.#tell(`${isReverse ? 'Unreversed' : 'Reversed (or previously applied)'} patch detected!`, true)
    if (this.#whenApplied() === 'skip') return this.#ignore(given, target)
    return this.#change(turned(given), { target, text, isThere, isMismatch: true })
  }

  /** Asks nobody: there is no terminal. */
  #whenApplied(): 'skip' | 'reverse' | 'apply' {
    const { whereApplied, isReverse } = this.#options
    if (whereApplied === 'apply') {
      this.#tell('  Applying it anyway.\n', true)
      return 'apply'
    }
    if (whereApplied === 'reverse') {
      this.#tell(isReverse ? '  Ignoring -R.\n' : '  Assuming -R.\n', true)
      return 'reverse'
    }
    const question = isReverse ? 'Ignore' : 'Assume'
    this.#tell(
      whereApplied === 'skip'
        ? '  Skipping patch.\n'
        : `  ${question} -R? [n] \nApply anyway? [n] \nSkipping patch.\n`,
      true,
    )
    return 'skip'
  }

  async #change(
    given: FilePatch,
    {
      target,
      text,
      isThere,
      isMismatch = false,
    }: { target: string; text: string; isThere: boolean; isMismatch?: boolean },
  ): Promise<void> {
    const { isTrial, output, backs, suffix } = this.#options
    const { lines, outcomes } = applyHunks(linesOf(text), given.hunks, this.#options)
    for (const [at, outcome] of outcomes.entries()) this.#tellHunk(at + 1, outcome)
    const failures = outcomes.filter(({ isApplied }) => !isApplied).map(({ hunk }) => hunk)
    if (failures.length > 0 && !isThere)
      throw new Fatal(`Can't reopen file ${target} : No such file or directory`)
    const isExact =
      !isMismatch && outcomes.every(({ isApplied, offset, fuzz }) => isApplied && offset === 0 && fuzz === 0)
    if (!isTrial) {
      if (isThere && output === undefined && (backs === 'always' || (backs === 'mismatch' && !isExact)))
        await this.#files.write(target + suffix, text)
      await this.#store(given, target, lines.join(''))
    }
    if (failures.length > 0) await this.#reject(given, target, failures, 'FAILED')
  }

  async #store(given: FilePatch, target: string, text: string): Promise<void> {
    const { output, removesEmpty } = this.#options
    if (output === '-') {
      this.stdout += text
      return
    }
    const place = output ?? given.renamed?.[1] ?? target
    const isRemoved = output === undefined && (given.after.isAbsent || removesEmpty)
    if (isRemoved && text === '') return this.#files.remove(target)
    if (given.after.isAbsent) {
      this.#tell(`Not deleting file ${target} as content differs from patch\n`, true)
      this.status = 1
    }
    await this.#files.write(place, text)
    if (given.mode !== undefined) await this.#files.changeMode(place, given.mode)
    if (place !== target && output === undefined) await this.#files.remove(target)
  }

  #tellHunk(number: number, { isApplied, at, fuzz, offset, isMisordered }: HunkOutcome): void {
    if (isMisordered) this.#tell('misordered hunks! output would be garbled\n')
    const lines = `${offset} ${Math.abs(offset) === 1 ? 'line' : 'lines'}`
    const how = `${fuzz > 0 ? ` with fuzz ${fuzz}` : ''}${offset === 0 ? '' : ` (offset ${lines})`}`
    if (!isApplied) this.#tell(`Hunk #${number} FAILED at ${at}.\n`)
    else if (how !== '') this.#tell(`Hunk #${number} succeeded at ${at}${how}.\n`)
  }

  /** Nobody says which file it is for. */
  async #skip(given: FilePatch): Promise<void> {
    const { strip } = this.#options
    const { path = '' } = given.before
    if (path.startsWith('/')) this.#tell(`Ignoring potentially dangerous file name ${path}\n`)
    const lead = given.lead.split(/(?<=\n)/).map((line) => `|${line}`)
    const rule = '--------------------------\n'
    this.#tell(
      `can't find file to patch at input line ${given.line}\n` +
        `Perhaps you ${strip === undefined ? 'should have used the' : 'used the wrong'} -p or --strip option?\n` +
        `The text leading up to this was:\n${rule}${lead.join('')}${rule}` +
        'File to patch: \nSkip this patch? [y] \nSkipping patch.\n',
      true,
    )
    await this.#ignore(given, undefined)
  }

  /** @param target - where its hunks are kept as rejected; undefined where they are not kept */
  async #ignore(given: FilePatch, target: string | undefined): Promise<void> {
    await this.#reject(given, target, given.hunks, 'ignored')
  }

  async #reject(
    given: FilePatch,
    target: string | undefined,
    hunks: FilePatch['hunks'],
    what: string,
  ): Promise<void> {
    const { strip, isTrial, output, rejects } = this.#options
    this.status = 1
    const place =
      target === undefined || isTrial || rejects === '-' ? undefined : (rejects ?? `${output ?? target}.rej`)
    const saved = place === undefined ? '' : ` -- saving rejects to file ${place}`
    const total = given.hunks.length
    this.#tell(`${hunks.length} out of ${total} ${total === 1 ? 'hunk' : 'hunks'} ${what}${saved}\n`, true)
    if (place === undefined) return
    const name = (one: FilePatch['before']) => strippedName(one, strip) ?? '/dev/null'
    await this.#files.write(place, rejectsText([name(given.before), name(given.after)], hunks))
  }

  #tell(text: string, evenSilent = false): void {
    if (evenSilent || !this.#options.isSilent) this.stdout += text
  }
}

function patchesOf(text: string): FilePatch[] {
  try {
    return readPatch(text)
  } catch (error) {
    throw new Fatal(errorMessage(error))
  }
}

/** The patch that takes a change back. */
function turned(given: FilePatch): FilePatch {
  const { before, after, renamed, hunks } = given
  return {
    ...given,
    before: after,
    after: before,
    renamed: renamed === undefined ? undefined : [renamed[1], renamed[0]],
    mode: undefined,
    hunks: hunks.map(reversed),
  }
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))
