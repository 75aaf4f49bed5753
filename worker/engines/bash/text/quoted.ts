/** A shell word with the literal value `text`. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
