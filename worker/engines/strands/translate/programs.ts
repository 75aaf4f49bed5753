import { AWK_PROGRAM } from './programs/awk.ts'
import { COMPARING_PROGRAMS } from './programs/compare.ts'
import { COPYING_PROGRAMS } from './programs/copies.ts'
import { DIGEST_PROGRAMS } from './programs/digests.ts'
import { COMPUTING_PROGRAMS } from './programs/expressions.ts'
import { FIND_PROGRAM } from './programs/find.ts'
import { FIND_TREE_PROGRAM } from './programs/find-tree.ts'
import { GREP_PROGRAM } from './programs/grep.ts'
import { GZIP_PROGRAMS } from './programs/gzip.ts'
import { JQ_PROGRAMS } from './programs/jq.ts'
import { COMMON } from './programs/lines.ts'
import { LS_PROGRAM } from './programs/ls.ts'
import { PATHNAMES } from './programs/pathnames.ts'
import { PATH_PROGRAMS } from './programs/paths.ts'
import { SED_PROGRAM } from './programs/sed.ts'
import { SED_TEXTS_PROGRAM } from './programs/sed-texts.ts'
import { SHAPING_PROGRAMS } from './programs/shapes.ts'
import { SHELL_PROGRAM } from './programs/shell.ts'
import { ORDER_PROGRAMS } from './programs/sort.ts'
import { SYSTEM_PROGRAMS } from './programs/system.ts'
import { TAR_PROGRAM } from './programs/tar.ts'
import { TEXT_PROGRAMS } from './programs/text-programs.ts'
import { TR_PROGRAM } from './programs/tr.ts'

/** What a program calls itself, where that is not its name. */
const PROGRAM_OF: ReadonlyMap<string, string> = new Map([
  ['__script', 'strands-shell'],
  ['cat-visible', 'cat'],
  ['find-tree', 'find'],
  ['grep-perl', 'grep'],
  ['gunzip', 'gzip'],
  ['jq-path', 'jq'],
  ['sed-texts', 'sed'],
  ['zcat', 'gzip'],
])

/** The programs that the engine lacks, in lua, by name. */
export const PROGRAMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...AWK_PROGRAM,
    ...TAR_PROGRAM,
    ...TEXT_PROGRAMS,
    ...COMPUTING_PROGRAMS,
    ...COMPARING_PROGRAMS,
    ...COPYING_PROGRAMS,
    ...DIGEST_PROGRAMS,
    ...SYSTEM_PROGRAMS,
    ...PATHNAMES,
    ...PATH_PROGRAMS,
    ...LS_PROGRAM,
    ...FIND_PROGRAM,
    ...FIND_TREE_PROGRAM,
    ...GREP_PROGRAM,
    ...GZIP_PROGRAMS,
    ...JQ_PROGRAMS,
    ...ORDER_PROGRAMS,
    ...SED_PROGRAM,
    ...SED_TEXTS_PROGRAM,
    ...SHAPING_PROGRAMS,
    ...SHELL_PROGRAM,
    ...TR_PROGRAM,
  }).map(([name, code]) => [
    name,
    `local NAME = '${PROGRAM_OF.get(name) ?? name}'\n${COMMON}${code}\nif failed ~= 0 then os.exit(failed) end\n`,
  ]),
)
