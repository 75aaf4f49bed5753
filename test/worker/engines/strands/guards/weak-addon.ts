import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const VERSION_NEEDS = 0x6ffffffe
const WEAK = 2

/** A copy of the installed addon, in a directory of its own, that older glibc versions load too. */
export function weakAddon(): { readonly path: string; readonly directory: string } {
  const source = createRequire(import.meta.url).resolve('@strands-agents/shell-linux-x64-gnu')
  const directory = mkdtempSync(join(tmpdir(), 'guards-'))
  const path = join(directory, 'addon.node')
  copyFileSync(source, path)
  const elf = readFileSync(path)
  weaken(elf)
  writeFileSync(path, elf)
  return { path, directory }
}

function weaken(elf: Buffer): void {
  const sections = Number(elf.readBigUInt64LE(0x28))
  const size = elf.readUInt16LE(0x3a)
  const count = elf.readUInt16LE(0x3c)
  const offsetOf = (index: number) => Number(elf.readBigUInt64LE(sections + index * size + 24))
  for (let index = 0; index < count; index++) {
    const header = sections + index * size
    if (elf.readUInt32LE(header + 4) !== VERSION_NEEDS) continue
    const strings = offsetOf(elf.readUInt32LE(header + 40))
    for (let need = offsetOf(index), step = -1; step !== 0; need += step) {
      let entry = need + elf.readUInt32LE(need + 8)
      for (let left = elf.readUInt16LE(need + 2); left > 0; left--) {
        const name = strings + elf.readUInt32LE(entry + 8)
        const isNew = elf.toString('latin1', name, elf.indexOf(0, name)) === 'GLIBC_2.39'
        if (isNew) elf.writeUInt16LE(elf.readUInt16LE(entry + 4) | WEAK, entry + 4)
        entry += elf.readUInt32LE(entry + 12)
      }
      step = elf.readUInt32LE(need + 12)
    }
  }
}
