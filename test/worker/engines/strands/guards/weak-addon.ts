import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const VERSION_NEEDS = 0x6ffffffe
const WEAK = 2

let made: string | undefined

/** A copy of the installed addon that older glibc versions load too: one of 16 MB for all engines of this process, whose end removes it. */
export function weakAddon(): string {
  made ??= makeWeakAddon()
  return made
}

function makeWeakAddon(): string {
  const directory = mkdtempSync(join(tmpdir(), 'guards-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const elf = readFileSync(createRequire(import.meta.url).resolve('@strands-agents/shell-linux-x64-gnu'))
  weaken(elf)
  const path = join(directory, 'addon.node')
  writeFileSync(path, elf)
  return path
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
