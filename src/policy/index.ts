export type { PolicyRules } from '../contract/policy-rules.ts'
export type {
  AnalyzedAssignment,
  AnalyzedCommand,
  AnalyzedRedirect,
  OpaquePart,
  ScriptAnalysis,
} from './analysis.ts'
export { analyzeScript } from './analyze/analyze-script.ts'
export { allowCommands } from './ready-made/allow-commands.ts'
export { type AskForOptions, askFor } from './ready-made/ask-for.ts'
export { denyCommands } from './ready-made/deny-commands.ts'
export { protectPaths } from './ready-made/protect-paths.ts'
export { type ReadOnlyOptions, readOnly } from './ready-made/read-only.ts'
export type {
  ApprovalRequest,
  Approver,
  FileOperation,
  Policy,
  PolicyCall,
  PolicySandbox,
  Verdict,
} from './types.ts'
