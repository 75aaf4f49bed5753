/**
 * About what a worker weighs. V8 counts an array buffer's size although its pages are never touched, so that
 * dropped sandboxes are collected before their workers pile up.
 */
const size = 8 * 1024 * 1024

/** Weights of closed sandboxes: using them again saves the collection that a new one brings on. */
const spare: ArrayBuffer[] = []
const mostSpare = 8

/** A weight to keep on a sandbox for as long as it may have a worker. */
export function takeWeight(): ArrayBuffer {
  return spare.pop() ?? new ArrayBuffer(size)
}

/** Gives the weight of a closed sandbox back. */
export function returnWeight(weight: ArrayBuffer): void {
  if (spare.length < mostSpare) spare.push(weight)
}
