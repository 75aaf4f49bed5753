/** The lines of a text, each with its line break; the last one may have none. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
