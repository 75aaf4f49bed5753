import type { SyntaxNode } from 'unbash'
import { evaluation } from './commands/evaluation.ts'
import { commandOptions } from './commands/index.ts'
import { localized, redirectedShell, returned, trapped } from './commands/leaving.ts'
import { waiting } from './commands/wait.ts'
import { arithmeticCommand, arithmeticExpansion, arithmeticFor } from './constructs/arithmetic-commands.ts'
import { asFunction } from './constructs/as-function.ts'
import { assigned, assignments, substituted, substitution } from './constructs/assignments.ts'
import { background } from './constructs/background.ts'
import { backquotes } from './constructs/backquotes.ts'
import { group } from './constructs/before.ts'
import { braces } from './constructs/braces.ts'
import { quotedOperand } from './constructs/choices.ts'
import { doubleBracket } from './constructs/double-bracket.ts'
import { endedInput } from './constructs/ended-input.ts'
import { andOr, compoundStatement } from './constructs/errexit.ts'
import { errorsOfCommand, errorsOfCompound } from './constructs/errors-of.ts'
import { exits } from './constructs/exits.ts'
import { fedProgram } from './constructs/fed-programs.ts'
import { argumentsOfCat, fileOutput, takeOutput } from './constructs/file-output.ts'
import {
  arrayValue,
  assignmentIndex,
  caseItem,
  caseWord,
  coproc,
  descriptorVariable,
  extendedGlob,
  processSubstitution,
  select,
} from './constructs/foreign.ts'
import { functionCalls } from './constructs/function-calls.ts'
import { functionKeyword } from './constructs/function-keyword.ts'
import { functionName } from './constructs/function-names.ts'
import { hereDocument, hereString } from './constructs/here-documents.ts'
import { limited } from './constructs/limited.ts'
import { markedFunction } from './constructs/marked-function.ts'
import { missingFiles } from './constructs/missing-files.ts'
import { oneStream } from './constructs/one-stream.ts'
import { valuesOfCommand, valuesOfStatement } from './constructs/operand-values.ts'
import { parameter } from './constructs/parameters.ts'
import { forPatterns, pattern, patterns } from './constructs/pathnames.ts'
import { pipeline } from './constructs/pipelines.ts'
import { callVariables, programVariables } from './constructs/program-variables.ts'
import { ansiQuotes, escapes, localeString } from './constructs/quotes.ts'
import { redirectedCompound, subshell } from './constructs/redirected-output.ts'
import { aloneRedirection, redirection } from './constructs/redirections.ts'
import { runScript } from './constructs/run-script.ts'
import { ownInput } from './constructs/shared-input.ts'
import { shownBytes } from './constructs/shown-bytes.ts'
import { statusBehind, statusBehindWord } from './constructs/status-behind.ts'
import { unsetCommand, unsetStatement } from './constructs/unset.ts'
import { zero } from './constructs/zero.ts'
import type { Place } from './walk.ts'
import type { Rule, Work } from './work.ts'

type Rules = { readonly [Type in SyntaxNode['type']]?: readonly Rule<Type>[] }

/** What is done about each kind of node, in this order. */
const RULES: Rules = {
  AndOr: [andOr],
  AnsiCQuoted: [ansiQuotes],
  ArithmeticCommand: [arithmeticCommand, valuesOfCommand, unsetCommand, group, asFunction],
  ArithmeticCommandExpansion: [substitution],
  ArithmeticExpansion: [arithmeticExpansion],
  ArithmeticFor: [arithmeticFor, valuesOfCommand, unsetCommand, group],
  ArrayValue: [arrayValue],
  Assignment: [assignmentIndex, assigned],
  BraceGroup: [limited, valuesOfCommand, unsetCommand, group],
  Case: [statusBehindWord, caseWord, valuesOfCommand, unsetCommand, group],
  For: [statusBehindWord, forPatterns, valuesOfCommand, unsetCommand, group],
  SimpleExpansion: [zero],
  CaseItem: [caseItem],
  Command: [
    aloneRedirection,
    redirectedShell,
    returned,
    localized,
    trapped,
    waiting,
    statusBehind,
    takeOutput,
    assignments,
    commandOptions,
    fedProgram,
    callVariables,
    endedInput,
    oneStream,
    functionCalls,
    runScript,
    programVariables,
    errorsOfCommand,
    argumentsOfCat,
    patterns,
    fileOutput,
    missingFiles,
    shownBytes,
    ownInput,
    exits,
    substituted,
    evaluation,
    valuesOfCommand,
    unsetCommand,
    group,
    asFunction,
  ],
  CommandExpansion: [backquotes, substitution],
  Coproc: [coproc],
  ExtendedGlob: [extendedGlob],
  FileDescriptorVariable: [descriptorVariable],
  Function: [functionName, functionKeyword, markedFunction],
  HereDoc: [hereDocument],
  HereString: [hereString],
  LocaleString: [localeString],
  ParameterExpansion: [parameter, quotedOperand],
  Pipeline: [pipeline, ownInput],
  ProcessSubstitution: [processSubstitution],
  Redirect: [redirection],
  Redirected: [errorsOfCompound, redirectedCompound, valuesOfCommand, unsetCommand, group],
  Select: [select],
  Statement: [background, compoundStatement, unsetStatement, valuesOfStatement],
  Subshell: [subshell],
  TestCommand: [statusBehindWord, doubleBracket, valuesOfCommand, unsetCommand, group, asFunction],
  Word: [escapes, pattern, braces],
}

/** Applies the rules of a node. */
export function applyRules<Type extends SyntaxNode['type']>(
  node: Extract<SyntaxNode, { readonly type: Type }>,
  work: Work,
  place: Place,
): void {
  const rules = RULES[node.type as Type] as readonly Rule<Type>[] | undefined
  for (const rule of rules ?? []) rule(node, work, place)
}
