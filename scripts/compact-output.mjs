/** How the package is written: a thread keeps the text of what it loads, and reads all of it before it runs; lines are short enough for a stack trace. */
export const compact = { minifyWhitespace: true, lineLimit: 160 }
