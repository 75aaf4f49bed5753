import { type OutcomeData, outcomeText } from '../text/outcome-text.ts'

/** How a command has ended. */
export function Outcome({ execution }: { readonly execution: OutcomeData }) {
  const { state, exitCode = 0 } = execution
  const tone = state === 'running' ? 'running' : state === 'failed' || exitCode !== 0 ? 'failed' : 'good'
  return (
    <span class="outcome" data-tone={tone}>
      {outcomeText(execution)}
    </span>
  )
}
