/** A checkpoint holds what this version does not write. */
export function wrongFact(): TypeError {
  return new TypeError('The checkpoint is not of this version of Strands Shell.')
}
