import { encode } from '../text/bytes.ts'
import { ECHO } from '../transform/echo-escapes.ts'
import { bytes, type OwnCommand } from './command.ts'
import { escapes } from './printf-values.ts'

/** Escapes that `printf` has and `echo` has not: a backslash more leaves them alone. */
const OTHER = /\\(?:0[0-7]{0,3}|[1-7"'?]|[\s\S])/g

/** `echo -e`, bytes as they are given. */
export const echo: OwnCommand = {
  name: ECHO,
  run(args) {
    let [ends, escaped, at] = [true, false, 0]
    for (; /^-[neE]+$/.test(args[at] ?? ''); at += 1)
      for (const letter of args[at]?.slice(1) ?? '') {
        if (letter === 'n') ends = false
        else escaped = letter === 'e'
      }
    const plain = encode(args.slice(at).join(' '))
    if (!escaped) return bytes(`${plain}${ends ? '\n' : ''}`)
    const own = plain.replaceAll(OTHER, (one) => (/^\\[1-7"'?]$/.test(one) ? `\\${one}` : one))
    const { text, ended } = escapes(own, true)
    return bytes(`${text}${ends && !ended ? '\n' : ''}`)
  },
}
