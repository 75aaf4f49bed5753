/** A tool's own refusal: its message is what the model reads. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
