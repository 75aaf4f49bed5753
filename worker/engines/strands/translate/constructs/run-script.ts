import { runsIn } from '../runs.ts'
import type { Rule } from '../work.ts'
import { isOfErrors } from './function-calls.ts'

/** A command that runs a script of the sandbox runs its translation in a subshell. */
export const runScript: Rule<'Command'> = (node, work) => {
  const script = work.options.scripts?.get(node)
  if (script === undefined) return
  const run = runsIn(node).find(({ command }) => command === node)
  if (run === undefined || node.name === undefined) return
  const path = work.file(script.text)
  work.add(script.files)
  if (run.kind === 'source') {
    work.script.replace(run.file, path)
    return
  }
  const name = `__ssr_run_${work.mark}_${work.next()}`
  work.hoist(`${name}() { ( set +eu; . ${path} ); }`)
  const assignments = node.prefix.filter(({ type }) => type === 'Assignment')
  const redirects = node.redirects.filter(
    (one) => !isOfErrors(one) || (one.type === 'Redirect' && one.descriptor === undefined),
  )
  const words = node.args
    .filter((arg) => arg.pos >= run.end && arg !== run.file)
    .map((arg) => work.script.text(arg))
  const call = [name, ...words].join(' ')
  const rest = redirects.map((one) => work.script.text(one).replace(/ 2>&1$/, '')).join(' ')
  if (assignments.length === 0 && rest === '') {
    work.script.replace(node, call)
    return
  }
  const sets = assignments.map((one) => `export ${work.script.text(one)}; `).join('')
  work.script.compounded.add(node)
  const body = sets === '' ? `{ ${call}; }` : `( ${sets}${call} )`
  work.script.replace(node, rest === '' ? body : `${body} ${rest}`)
}
