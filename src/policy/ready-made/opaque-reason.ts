import type { OpaquePart } from '../analysis.ts'

/** Says why a part that is only known at run time is denied, and what to write instead. */
export function opaqueReason({ kind, text }: OpaquePart): string {
  return `${shown(text)}: ${REASONS[kind]}`
}

const REASONS: Readonly<Record<OpaquePart['kind'], string>> = {
  name: 'which command this runs is only known at run time. Write its name, without variables or patterns.',
  script: 'which script this runs is only known at run time. Write the commands themselves.',
  file: 'what the file has is only known at run time. Write its commands into this command.',
  syntax: 'this cannot be read. Write it more simply, or in several calls.',
  language: 'code of another language cannot be looked into. Use commands of the shell.',
}

/** A part of a script in a reason: in one line, and short. */
export function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}
