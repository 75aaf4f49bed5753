import { arithmetic } from './arithmetic.ts'
import { awk } from './awk.ts'
import { bc } from './bc.ts'
import type { OwnCommand } from './command.ts'
import { cut } from './cut.ts'
import { date } from './date.ts'
import { diff } from './diff.ts'
import { hexdump, od, xxd } from './dump.ts'
import { cmp, install, realpath, shuf, truncate } from './files.ts'
import { printFunctions } from './functions.ts'
import { egrep, grep } from './grep.ts'
import { head } from './head.ts'
import { jq } from './jq.ts'
import { ls } from './ls.ts'
import { mktemp } from './mktemp.ts'
import { numfmt } from './numfmt.ts'
import { rm } from './rm.ts'
import { runFile } from './run-file.ts'
import { sed } from './sed.ts'
import { bash, sh } from './shell.ts'
import { du, expr, nl, paste, tr, uniq } from './small-wrappers.ts'
import { sort } from './sort.ts'
import { noteSourced, parseEval, save } from './state-commands.ts'
import { arch, id, kill, nproc, pager, through, umask, uname, yes } from './system.ts'
import { trap } from './trap.ts'
import { printf } from './unsigned.ts'
import { wc } from './wc.ts'
import { xargs } from './xargs.ts'

/** All commands that are ours, or stand before one of just-bash. */
export const OWN_COMMANDS: readonly OwnCommand[] = [
  ...[save, parseEval, noteSourced, arithmetic, printFunctions, runFile, bash, sh, trap],
  ...[
    awk,
    cut,
    date,
    diff,
    du,
    egrep,
    expr,
    grep,
    head,
    jq,
    ls,
    nl,
    od,
    paste,
    printf,
    sed,
    sort,
    tr,
    uniq,
    wc,
    xargs,
  ],
  ...[arch, bc, cmp, hexdump, id, install, kill, mktemp, nproc, numfmt, realpath, rm, shuf, truncate, umask],
  ...[uname, xxd, yes, pager('less'), pager('more')],
  ...[through('nohup', ''), through('nice', 'n'), through('stdbuf', 'ioe')],
]
