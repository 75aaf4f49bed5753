import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '../arguments.ts'
import type { BuildUrls } from './run-comparison.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the build of the working tree reads. */
const sources = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src', 'worker', 'page']

/** A commit of this repository. */
export interface Commit {
  readonly hash: string
  readonly subject: string
}

/** @throws {UsageError} where git knows no such commit */
export function commitOf(ref: string): Commit {
  try {
    const hash = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
    return { hash, subject: git('log', '-1', '--format=%s', hash) }
  } catch (error) {
    throw new UsageError(`git finds no commit ${ref}.`, { cause: error })
  }
}

/** A temporary directory with a build of a commit and one of the working tree. It is removed on dispose and on exit. */
export class Builds implements Disposable {
  readonly directory = mkdtempSync(join(realpathSync(tmpdir()), 'bench-compare-'))
  readonly #remove = () => rmSync(this.directory, { recursive: true, force: true })

  constructor() {
    process.once('exit', this.#remove)
    // Bundled children in here are ES modules.
    writeFileSync(join(this.directory, 'package.json'), '{ "type": "module" }')
  }

  /** Builds both with the installed packages of the working tree. */
  make({ hash }: Commit): BuildUrls {
    const [before, now] = [this.#newTree('before'), this.#newTree('now')]
    const archive = join(this.directory, 'before.tar')
    git('archive', `--output=${archive}`, hash)
    execFileSync('tar', ['-xf', archive, '-C', before])
    for (const source of sources) cpSync(join(root, source), join(now, source), { recursive: true })
    return { before: build(before), now: build(now) }
  }

  #newTree(name: string): string {
    const tree = join(this.directory, name)
    mkdirSync(tree)
    symlinkSync(realpathSync(join(root, 'node_modules')), join(tree, 'node_modules'))
    return tree
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#remove)
    this.#remove()
  }
}

/** Builds a tree. The `file:` URL of its main entry. */
function build(tree: string): string {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] })
  return pathToFileURL(join(tree, 'dist/src/index.js')).href
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
