import type { MarksState } from '../change-log.ts'
import { countOf, fieldsOf, isText, wrongFact } from './values.ts'

export function writeMarks(state: MarksState): string {
  return JSON.stringify(state)
}

/** @throws {TypeError} where a checkpoint holds something else */
export function readMarks(json: string): MarksState {
  const { epoch, sessions } = fieldsOf(JSON.parse(json))
  if (!Array.isArray(sessions)) throw wrongFact()
  return {
    epoch: countOf(epoch),
    sessions: sessions.map((session: unknown) => {
      if (!Array.isArray(session)) throw wrongFact()
      const [id, last]: unknown[] = session
      if (!isText(id)) throw wrongFact()
      return [id, countOf(last)] as const
    }),
  }
}
