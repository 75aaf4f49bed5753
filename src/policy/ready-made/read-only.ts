import { optionsOf } from '../../sandbox/options-of.ts'
import type { Policy } from '../types.ts'
import { absolutePaths } from './paths.ts'
import { protecting } from './protecting.ts'

/** Options of {@link readOnly}. */
export interface ReadOnlyOptions {
  /**
   * Absolute paths of the sandbox that can be written, with all below, such as `/tmp`.
   *
   * @default [] (none)
   */
  readonly except?: readonly string[] | undefined
}

/**
 * Lets no call write a file, but below `except`: commands, code and file operations. Output to `/dev/null` and the standard
 * streams is no file. Tools that put long output into a file need their `spillDirectory` in `except`.
 *
 * Bash refuses each write where the file is opened, whatever the text says. In Strands Shell and in jails the text alone is
 * judged: only commands run of which it is known what they write. `lua`, `curl`, `ln`, `chmod`, `mktemp`, `sed -i`, scripts in files, and all
 * that is only known at run time are denied.
 *
 * It cannot see what a command changes that is no file: variables, functions, the directory of the session, a server that
 * `curl` of bash sends to, functions of the host that are commands. In Strands Shell it does not see where links lead that
 * were there before; a `ln` is denied. In a jail it does not see what bash computes out of values: `$((x))`, `${x@P}`.
 *
 * @throws {SandboxConfigError} with the field `except` where it is not absolute paths
 */
export function readOnly(options: ReadOnlyOptions = {}): Policy {
  const { except } = optionsOf<ReadOnlyOptions>(options, ['except'])
  return protecting(['/'], except === undefined ? [] : absolutePaths(except, 'except'))
}
