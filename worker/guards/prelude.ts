export const PRELUDE: readonly string[] = []
