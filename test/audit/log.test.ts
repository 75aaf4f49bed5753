import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { type AuditEvent, type AuditLogOptions, auditLog, SandboxConfigError } from '../../src/index.ts'
import { codePoint } from '../support/code-point.ts'
import { cases } from '../support/tier.ts'
import { command } from './event.ts'
import { linesIn, logPath, recordAll, textOf, toldIn } from './support.ts'

function openLog(options: AuditLogOptions) {
  const log = auditLog(options)
  onTestFinished(() => log.close())
  return log
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `echo ${index}`)

describe('a log in a file', () => {
  it('has each event as one line: kind and time first, without what is undefined', async () => {
    const file = await logPath()
    const log = openLog({ file })
    log.record(command('echo "é"\n\u0007'))
    await log.flush()
    expect(await readFile(file, 'utf8')).toBe(
      '{"kind":"command","time":"2026-01-31T12:00:00.000Z","id":"agent-7","sandbox":1,"labels":{"tenant":"a"},"isolation":"worker","shell":"bash","generation":1,"sequence":2,"command":"echo \\"é\\"\\n\\u0007","length":10,"exitCode":0,"timedOut":false,"truncated":false,"stdoutBytes":0,"stderrBytes":0,"changed":[],"durationMs":1.5,"waitedMs":0,"endedMs":0,"denied":false}\n',
    )
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(log.stats()).toEqual({ written: 1, dropped: 0, waiting: 0, problem: undefined })
  })

  it('writes without a flush, and appends to what is there', async () => {
    const file = await logPath()
    const first = openLog({ file })
    recordAll(first, 'one')
    await expect.poll(() => textOf(file).then(toldIn), { timeout: 60_000 }).toEqual(['one'])
    await first.close()
    const second = openLog({ file })
    recordAll(second, 'two')
    await second.flush()
    expect(toldIn(await textOf(file))).toEqual(['one', 'two'])
  })

  it('keeps every text, one a line', async () => {
    const file = await logPath()
    const log = openLog({ file, events: 'all' })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: codePoint })), async (texts) => {
        const before = linesIn(await textOf(file)).length
        recordAll(log, ...texts)
        await log.flush()
        expect(toldIn(await textOf(file)).slice(before)).toEqual(texts.map((text) => text.toWellFormed()))
      }),
      { numRuns: cases(60) },
    )
  })

  it('is rotated before a line would exceed maxBytes, and keeps so many files', async () => {
    const file = await logPath()
    const log = openLog({ file, maxBytes: 4096, keep: 3 })
    const texts = numbered(100)
    for (const text of texts) {
      recordAll(log, text)
      if (text.endsWith('7')) await log.flush()
    }
    await log.flush()
    const names = (await readdir(dirname(file))).sort()
    expect(names).toEqual(['audit.log', 'audit.log.1', 'audit.log.2', 'audit.log.3'])
    for (const name of names) {
      const { size, mode } = await stat(join(dirname(file), name))
      expect([size <= 4096, mode & 0o777]).toEqual([true, 0o600])
    }
    const told = toldIn(await textOf(file))
    expect(told.length).toBeGreaterThan(30)
    expect(told).toEqual(texts.slice(-told.length))
    expect(log.stats()).toMatchObject({ written: 100, dropped: 0 })
  })

  it('gives a line that is longer than maxBytes a file for itself', async () => {
    const file = await logPath()
    const log = openLog({ file, maxBytes: 1024 })
    recordAll(log, 'a', 'b'.repeat(3000), 'c')
    await log.flush()
    expect(toldIn(await readFile(`${file}.2`, 'utf8'))).toEqual(['a'])
    expect(toldIn(await readFile(`${file}.1`, 'utf8'))).toEqual(['b'.repeat(3000)])
    expect(toldIn(await readFile(file, 'utf8'))).toEqual(['c'])
  })

  it('cuts off a line that a crash has left in part', async () => {
    const file = await logPath()
    const whole = '{"kind":"command","command":"whole"}\n'
    for (const part of ['{', '{"kind":"command","comm', `{"kind":"file","path":"${'x'.repeat(200_000)}`]) {
      await writeFile(file, whole + part)
      const log = openLog({ file })
      recordAll(log, 'next')
      await log.close()
      expect(toldIn(await readFile(file, 'utf8'))).toEqual(['whole', 'next'])
    }
  })

  it('goes on in a new file where somebody has moved or removed its own', async () => {
    const file = await logPath()
    const log = openLog({ file })
    recordAll(log, 'one')
    await log.flush()
    await rename(file, `${file}.moved`)
    recordAll(log, 'two')
    await log.flush()
    expect(toldIn(await readFile(`${file}.moved`, 'utf8'))).toEqual(['one'])
    expect(toldIn(await readFile(file, 'utf8'))).toEqual(['two'])
  })

  it('refuses a file that it cannot write, or that is no log, and leaves it as it is', async () => {
    const file = await logPath()
    const refusal = (path: string) => {
      try {
        auditLog({ file: path })
        return undefined
      } catch (error) {
        if (!(error instanceof SandboxConfigError)) throw error
        return [error.field, error.message]
      }
    }
    await writeFile(file, '{ "name": "a program" }')
    expect(refusal(file)).toEqual([
      'file',
      expect.stringContaining('its last line is not one of an audit log'),
    ])
    expect(await readFile(file, 'utf8')).toBe('{ "name": "a program" }')
    expect(refusal(`${file}/x/y`)).toEqual(['file', expect.stringContaining('ENOTDIR')])
    expect(refusal(`${file}.d/y`)).toEqual(['file', expect.stringContaining('Make its directory first.')])
    expect(refusal(dirname(file))).toEqual(['file', expect.stringContaining('EISDIR')])
    expect(refusal('/dev/null')).toEqual(['file', expect.stringContaining('no regular file')])
    openLog({ file: `${file}.other` })
    expect(refusal(`${file}.other`)).toEqual(['file', expect.stringContaining('another audit log')])
  })

  it('counts what comes after its end as dropped', async () => {
    const file = await logPath()
    const log = openLog({ file })
    recordAll(log, 'one')
    await log.close()
    recordAll(log, 'two')
    await log.flush()
    expect(log.stats()).toMatchObject({ written: 1, dropped: 1 })
    expect(toldIn(await textOf(file))).toEqual(['one'])
  })
})

describe('a log for a function', () => {
  it('calls it with whole lines, one call at a time', async () => {
    const calls: string[] = []
    let running = 0
    const most: number[] = []
    const log = openLog({
      write: async (lines) => {
        running += 1
        most.push(running)
        calls.push(lines)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running -= 1
      },
    })
    const texts = Array.from({ length: 40 }, (_, index) => `${index}${'x'.repeat(20_000)}`)
    recordAll(log, ...texts)
    await Promise.all([log.flush(), log.flush()])
    expect(toldIn(calls.join(''))).toEqual(texts)
    expect(calls.every((lines) => lines.endsWith('\n') && lines.length <= 262_144)).toBe(true)
    expect([calls.length > 2, Math.max(...most)]).toEqual([true, 1])
  })

  it.each([
    [
      'throws',
      () => {
        throw new RangeError('no')
      },
    ],
    ['rejects', () => Promise.reject(new RangeError('no'))],
  ])('drops what it is given while it %s, and tells how many lines', async (_, fail) => {
    const calls: string[] = []
    let fails = true
    const log = openLog({
      write: (lines) => {
        if (fails) return fail()
        calls.push(lines)
        return undefined
      },
    })
    recordAll(log, 'one', 'two')
    await log.flush()
    recordAll(log, 'three')
    await log.flush()
    expect(log.stats()).toEqual({ written: 0, dropped: 3, waiting: 0, problem: 'RangeError' })
    fails = false
    recordAll(log, 'four')
    await log.flush()
    expect(toldIn(calls.join(''))).toEqual([3, 'four'])
    expect(log.stats()).toEqual({ written: 1, dropped: 3, waiting: 0, problem: undefined })
  })

  it('drops what its queue has no room for, and tells how many lines where they are missing', async () => {
    const calls: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const log = openLog({
      maxQueue: 2048,
      write: async (lines) => {
        calls.push(lines)
        if (calls.length === 1) await held
      },
    })
    const texts = numbered(100)
    recordAll(log, ...texts)
    const flushed = log.flush()
    recordAll(log, ...texts)
    release()
    await flushed
    recordAll(log, 'last')
    await log.flush()
    const told = toldIn(calls.join(''))
    const markers = told.filter((one) => typeof one === 'number')
    expect(told.at(-1)).toBe('last')
    expect(told.slice(0, 3)).toEqual(texts.slice(0, 3))
    expect(log.stats().dropped).toBe(markers.reduce((sum, lines) => sum + lines, 0))
    expect(log.stats().written + log.stats().dropped).toBe(201)
  })
})

describe('redact', () => {
  it('has the last word on each event', async () => {
    const calls: string[] = []
    const redact = (event: AuditEvent): AuditEvent | undefined => {
      if (event.kind !== 'command') return event
      if (event.command === 'none') return undefined
      if (event.command === 'throw') throw new Error('no')
      if (event.command === 'bad') return Object.assign({ ...event }, { changed: 1n })
      return { ...event, command: event.command.replace('secret', '***') }
    }
    const log = openLog({ redact, write: (lines) => calls.push(lines) })
    recordAll(log, 'a secret', 'none', 'throw', 'bad', 'b')
    await log.flush()
    expect(toldIn(calls.join(''))).toEqual(['a ***', 2, 'b'])
    expect(log.stats()).toMatchObject({ written: 2, dropped: 2 })
  })

  it('drops what is no event', async () => {
    const calls: string[] = []
    const redact: unknown = async (event: AuditEvent) => event
    const log = openLog({ redact: redact as () => undefined, write: (lines) => calls.push(lines) })
    recordAll(log, 'a')
    await log.flush()
    expect(toldIn(calls.join(''))).toEqual([1])
  })
})

describe('options', () => {
  it.each<[unknown, string, RegExp]>([
    [undefined, 'options', /plain object/],
    [{}, 'file', /neither is given/],
    [{ file: 'a', write: () => undefined }, 'file', /both are given/],
    [{ file: '' }, 'file', /path of a file/],
    [{ file: 1 }, 'file', /path of a file/],
    [{ write: 'a' }, 'write', /function/],
    [{ write: () => undefined, maxBytes: 4096 }, 'maxBytes', /log with a file/],
    [{ write: () => undefined, keep: 1 }, 'keep', /log with a file/],
    [{ file: 'a', maxBytes: 10 }, 'maxBytes', /from 1024 to/],
    [{ file: 'a', keep: 0 }, 'keep', /from 1 to 1000/],
    [{ file: 'a', maxQueue: 1.5 }, 'maxQueue', /whole number/],
    [{ write: () => undefined, redact: 1 }, 'redact', /function/],
    [{ write: () => undefined, events: [] }, 'events', /array of events/],
    [{ write: () => undefined, events: ['comand'] }, 'events', /command, .*but has "comand"/],
    [{ path: 'a' }, 'path', /no option/],
  ])('%j is refused by the name %s', (options, field, message) => {
    let refusal: unknown
    try {
      auditLog(options as AuditLogOptions)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toMatchObject({ code: 'INVALID_CONFIG', field, message: expect.stringMatching(message) })
  })

  it('a host takes a log, and refuses what is none', () => {
    const log = openLog({ write: () => undefined })
    expect(resolveHostOptions({ audit: log }).audit).toBe(log)
    for (const audit of [{ file: 'a' }, 'a', null, { ...log, record: 1 }]) {
      expect(() => resolveHostOptions({ audit: audit as never })).toThrow(
        /^audit must be an audit log, .*auditLog\(\{ file \}\) makes one/,
      )
    }
  })

  it('names the events that are written: all but idle where nothing is said', () => {
    const eventsOf = (events?: AuditLogOptions['events']) =>
      openLog({ write: () => undefined, events }).events
    expect(eventsOf()).toContain('command')
    expect(eventsOf()).not.toContain('idle')
    expect(eventsOf('all')).toContain('idle')
    expect(eventsOf(['policy', 'command'])).toEqual(['command', 'policy'])
  })
})
