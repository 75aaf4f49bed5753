/** What a program assigns to. */
export type Target =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'field'; readonly index: Expression }
  | { readonly type: 'element'; readonly array: string; readonly keys: readonly Expression[] }

export type Expression =
  | Target
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'regex'; readonly source: string }
  | { readonly type: 'group'; readonly inner: Expression }
  | { readonly type: 'unary'; readonly operator: '!' | '-' | '+'; readonly operand: Expression }
  | {
      readonly type: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly type: 'match'; readonly not: boolean; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'choose'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly type: 'in'; readonly keys: readonly Expression[]; readonly array: string }
  | {
      readonly type: 'assign'
      readonly operator: string
      readonly target: Target
      readonly value: Expression
    }
  | { readonly type: 'step'; readonly by: 1 | -1; readonly prefix: boolean; readonly target: Target }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly type: 'builtin'; readonly name: string; readonly args: readonly Expression[] }
  | {
      readonly type: 'getline'
      readonly from: 'main' | 'file' | 'command'
      readonly source?: Expression
      readonly target?: Target
    }

export type Statement =
  | { readonly type: 'block'; readonly body: readonly Statement[] }
  | { readonly type: 'expression'; readonly value: Expression }
  | {
      readonly type: 'print' | 'printf'
      readonly args: readonly Expression[]
      readonly to?: { readonly sign: '>' | '>>' | '|'; readonly name: Expression }
    }
  | { readonly type: 'if'; readonly test: Expression; readonly yes: Statement; readonly no?: Statement }
  | { readonly type: 'while'; readonly test: Expression; readonly body: Statement }
  | { readonly type: 'do'; readonly test: Expression; readonly body: Statement }
  | {
      readonly type: 'for'
      readonly first?: Statement
      readonly test?: Expression
      readonly step?: Statement
      readonly body: Statement
    }
  | { readonly type: 'each'; readonly target: Target; readonly array: string; readonly body: Statement }
  | { readonly type: 'break' | 'continue' | 'next' | 'nextfile' }
  | { readonly type: 'exit' | 'return'; readonly value?: Expression }
  | { readonly type: 'delete'; readonly array: string; readonly keys?: readonly Expression[] }

export interface Rule {
  readonly pattern: 'BEGIN' | 'END' | 'always' | Expression | readonly [from: Expression, to: Expression]
  /** Undefined: print the record. */
  readonly body: Statement | undefined
}

export interface AwkFunction {
  readonly name: string
  readonly parameters: readonly string[]
  readonly body: Statement
}

export interface AwkProgram {
  readonly rules: readonly Rule[]
  readonly functions: ReadonlyMap<string, AwkFunction>
}
