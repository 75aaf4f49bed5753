import { arithmetic } from './arithmetic.ts'
import { awk, gawk } from './awk.ts'
import { bc } from './bc.ts'
import { b2sum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum } from './checksums.ts'
import { chmod } from './chmod.ts'
import { cksum } from './cksum.ts'
import { column } from './column.ts'
import { comm } from './comm.ts'
import type { OwnCommand } from './command.ts'
import { cp } from './cp.ts'
import { csplit } from './csplit.ts'
import { cut } from './cut.ts'
import { date } from './date.ts'
import { dd } from './dd.ts'
import { diff } from './diff.ts'
import { du } from './du.ts'
import { hexdump, xxd } from './dump.ts'
import { echo } from './echo.ts'
import { env, printenv } from './environment.ts'
import { envsubst } from './envsubst.ts'
import { factor } from './factor.ts'
import { cmp, shuf, truncate } from './files.ts'
import { find } from './find.ts'
import { fmt } from './fmt.ts'
import { fold } from './fold.ts'
import { exportFunctions, printFunctions } from './functions.ts'
import { egrep, fgrep, grep } from './grep.ts'
import { head } from './head.ts'
import { install } from './install.ts'
import { disown, fork, jobs, kill, runJobs, wait } from './jobs.ts'
import { join } from './join.ts'
import { jq } from './jq.ts'
import { ln } from './ln.ts'
import { ls } from './ls.ts'
import { df, uptime } from './machine.ts'
import { mkdir } from './mkdir.ts'
import { mktemp } from './mktemp.ts'
import { mv } from './mv.ts'
import { nl } from './nl.ts'
import { numfmt } from './numfmt.ts'
import { od } from './od.ts'
import { patch } from './patch.ts'
import { printf } from './printf.ts'
import { readlink } from './readlink.ts'
import { realpath } from './realpath.ts'
import { cat, retold } from './retold.ts'
import { rev } from './rev.ts'
import { rm } from './rm.ts'
import { runFile } from './run-file.ts'
import { sed } from './sed.ts'
import { seq } from './seq.ts'
import { bash, sh } from './shell.ts'
import { sleep } from './sleep.ts'
import { expr, paste, tail } from './small-wrappers.ts'
import { sort } from './sort.ts'
import { split } from './split.ts'
import { sqlite3 } from './sqlite3.ts'
import { stat } from './stat.ts'
import {
  discard,
  input,
  left,
  parseEval,
  refuseReadonly,
  save,
  stdin,
  tellSyntax,
  took,
} from './state-commands.ts'
import { arch, dirname, endlessYes, id, nproc, pager, through, tty, umask, uname, yes } from './system.ts'
import { expand, unexpand } from './tabs.ts'
import { tac } from './tac.ts'
import { tar } from './tar.ts'
import { tee } from './tee.ts'
import { timeout } from './timeout.ts'
import { touch } from './touch.ts'
import { tr } from './tr.ts'
import { trap } from './trap.ts'
import { tree } from './tree.ts'
import { ulimit } from './ulimit.ts'
import { uniq } from './uniq.ts'
import { wc } from './wc.ts'
import { xargs } from './xargs.ts'

/** All commands that are ours, or stand before one of just-bash. */
export const OWN_COMMANDS: readonly OwnCommand[] = [
  ...[
    save,
    input,
    stdin,
    discard,
    tellSyntax,
    refuseReadonly,
    left,
    took,
    fork,
    runJobs,
    wait,
    jobs,
    disown,
    echo,
    sleep,
    parseEval,
    arithmetic,
    printFunctions,
    exportFunctions,
    runFile,
    bash,
    sh,
    trap,
  ],
  ...[
    awk,
    gawk,
    cat,
    cp,
    cut,
    date,
    diff,
    du,
    egrep,
    env,
    fgrep,
    expr,
    grep,
    retold(head),
    jq,
    ls,
    nl,
    od,
    paste,
    patch,
    printenv,
    printf,
    sed,
    sort,
    retold(tail),
    rev,
    tr,
    uniq,
    wc,
    xargs,
  ],
  ...[
    column,
    comm,
    csplit,
    dd,
    df,
    envsubst,
    uptime,
    expand,
    factor,
    find,
    fmt,
    fold,
    join,
    mv,
    seq,
    split,
    tac,
    unexpand,
  ],
  ...[b2sum, cksum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum],
  ...[chmod, dirname, ln, mkdir, stat, tee, touch, tty],
  ...[
    arch,
    bc,
    cmp,
    hexdump,
    id,
    install,
    kill,
    mktemp,
    nproc,
    numfmt,
    readlink,
    realpath,
    rm,
    shuf,
    truncate,
    tree,
    ulimit,
    umask,
  ],
  ...[sqlite3, tar, uname, xxd, yes, endlessYes, pager('less'), pager('more')],
  timeout,
  ...[through('nohup', ''), through('nice', 'n'), through('stdbuf', 'ioe')],
]
