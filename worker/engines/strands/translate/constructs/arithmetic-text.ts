import type { Word } from 'unbash'
import { refuse } from '../refusal.ts'
import type { Place } from '../walk.ts'
import type { Work } from '../work.ts'
import { valuesAt } from './operand-values.ts'

const OPERAND = /\$\(__ssr_length "\$\{\w+-\}"\)|\$\{(\w+)\}|\$(\w+)|([A-Za-z_]\w*)/g
const COMPUTED = /^[-(\s]*(?:\d+|x)(?:[\s)]*[-+*][-(\s]*(?:\d+|x))*[\s)]*$/

/** A word that is computed, such as the offset of `${x:n}`, as a word of a command. */
export function arithmeticText(word: Word, work: Work, place: Place): string {
  const { script } = work
  const text = script.text(word).trim()
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return text
  if (text === '') return '0'
  if (/^\$\(\([\s\S]*\)\)$/.test(text)) return `"${text}"`
  if (!COMPUTED.test(text.replaceAll(OPERAND, 'x')) || /(?<!\w)0\d/.test(text))
    refuse(`the expression ${text} in \${…:…}`, 'compute it in $(( )) first')
  const values = valuesAt(place, work)
  const computed = text.replaceAll(OPERAND, (found, braced?: string, plain?: string, name?: string) => {
    const variable = braced ?? plain ?? name
    if (variable === undefined) return found
    if (!values.isPlain(variable, word.pos))
      values.look(name === undefined ? 'text' : 'value', `\${${variable}${name === undefined ? ':-e' : '-'}}`)
    return name === undefined ? found : `($${name})`
  })
  return `"$((${computed}))"`
}
