/** What is wrong with an awk program, or with what it does. awk ends with status 2. */
export class AwkError extends Error {
  override readonly name = 'AwkError'
}
