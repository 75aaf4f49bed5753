import type { ExecutionResult } from '../sandbox/results.ts'
import type { ResultData } from './execution-schemas.ts'

/** A result as JSON: files that it holds are base64. */
export function resultJson(result: ExecutionResult): string {
  return JSON.stringify({ ...result, outputFiles: result.outputFiles.map(fileData) })
}

/** A result out of its data. */
export function resultOfData({ outputFiles, truncated, ...result }: ResultData): ExecutionResult {
  return {
    ...result,
    truncated: truncated === false ? false : withoutAbsent(truncated),
    outputFiles: outputFiles.map(({ name, base64, mimeType }) => ({
      name,
      mimeType,
      content: new Uint8Array(Buffer.from(base64, 'base64')),
    })),
  }
}

function fileData({ name, mimeType, content }: ExecutionResult['outputFiles'][number]) {
  return { name, mimeType, base64: Buffer.from(content).toString('base64') }
}

function withoutAbsent({ stdout, stderr }: Exclude<ResultData['truncated'], false>) {
  return { ...(stdout === undefined ? {} : { stdout }), ...(stderr === undefined ? {} : { stderr }) }
}
