import { toBytes } from './bytes.ts'

/** Chains of keys that bash begins a map with, and how many keys a chain has at most before there are four times as many. */
const FIRST = 1024
const MOST = 2
const GROWTH = 4

/** The keys of a map as bash lists them: by the chains of its hash table, in each of which the latest key is the first. */
export function keysInOrder(keys: Iterable<string>): string[] {
  let chains: string[][] = Array.from({ length: FIRST }, () => [])
  let count = 0
  const add = (key: string) => chains[hashOf(key) % chains.length]?.unshift(key)
  for (const key of keys) {
    if (count >= chains.length * MOST) {
      const before = chains.flat()
      chains = Array.from({ length: chains.length * GROWTH }, () => [])
      for (const one of before) add(one)
    }
    add(key)
    count += 1
  }
  return chains.flat()
}

/** FNV-1, by signed characters. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (const byte of toBytes(key)) hash = Math.imul(hash, 0x01000193) ^ ((byte << 24) >> 24)
  return hash >>> 0
}
