import { bytes, failed, type OwnCommand, readInput, reason } from './command.ts'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  c: 1,
  w: 2,
  b: 512,
  k: 1024,
  K: 1024,
  KiB: 1024,
  kB: 1000,
  KB: 1000,
  M: 1024 ** 2,
  MiB: 1024 ** 2,
  MB: 1e6,
  G: 1024 ** 3,
  GiB: 1024 ** 3,
  GB: 1e9,
}

const KNOWN = new Set([
  'if',
  'of',
  'bs',
  'ibs',
  'obs',
  'cbs',
  'count',
  'skip',
  'seek',
  'conv',
  'status',
  'iflag',
  'oflag',
])

function numberOf(text: string): number | undefined {
  const factors = text.split('x').map((factor) => {
    const [, digits, unit = ''] = /^(\d+)([a-zA-Z]*)$/.exec(factor) ?? []
    return Number(digits) * (UNITS[unit] ?? Number.NaN)
  })
  const product = factors.reduce((left, right) => left * right, 1)
  return Number.isNaN(product) ? undefined : product
}

const CONVERSIONS: Readonly<Record<string, (data: string) => string>> = {
  ucase: (data) => data.replaceAll(/[a-z]/g, (one) => one.toUpperCase()),
  lcase: (data) => data.replaceAll(/[A-Z]/g, (one) => one.toLowerCase()),
  swab: (data) => data.replaceAll(/([\s\S])([\s\S])/g, '$2$1'),
  notrunc: (data) => data,
  fsync: (data) => data,
  fdatasync: (data) => data,
  noerror: (data) => data,
  excl: (data) => data,
}

/** `dd if=… of=… bs=… count=… skip=… seek=… conv=…` */
export const dd: OwnCommand = {
  name: 'dd',
  async run(args, context, { files }) {
    const given = new Map<string, string>()
    for (const arg of args) {
      const [, name = '', value = ''] = /^([a-z]+)=(.*)$/s.exec(arg) ?? []
      if (!KNOWN.has(name)) return failed('dd', `unrecognized operand '${arg}'`)
      given.set(name, value)
    }
    const numbers: Record<string, number> = {}
    for (const name of ['bs', 'ibs', 'obs', 'count', 'skip', 'seek']) {
      const text = given.get(name)
      const number = text === undefined ? undefined : numberOf(text)
      if (text !== undefined && number === undefined) return failed('dd', `invalid number: '${text}'`)
      if (number !== undefined) numbers[name] = number
    }
    const { bs, ibs = bs ?? 512, count, skip = 0, seek = 0 } = numbers
    const inBytes = (flag: string, name: string) => (given.get(name) ?? '').split(',').includes(flag)
    const block = bs ?? ibs
    const most = count === undefined ? undefined : inBytes('count_bytes', 'iflag') ? count : count * block
    const conversions = (given.get('conv') ?? '').split(',').filter((one) => one !== '')
    const unknown = conversions.find((one) => CONVERSIONS[one] === undefined)
    if (unknown !== undefined) return failed('dd', `invalid conversion: '${unknown}'`)
    const input = given.get('if')
    let data: string
    try {
      data = await read(input, inBytes('skip_bytes', 'iflag') ? skip : skip * block, most, context, files)
    } catch (error) {
      return failed('dd', `failed to open '${input}': ${reason(error)}`)
    }
    const converted = conversions.reduce((text, one) => CONVERSIONS[one]?.(text) ?? text, data)
    const report = told(data.length, block, given.get('status'))
    const output = given.get('of')
    if (output === undefined) return { ...bytes(converted), stderr: report }
    try {
      await write(
        output,
        converted,
        seek * (numbers['obs'] ?? bs ?? 512),
        conversions.includes('notrunc'),
        context,
      )
    } catch (error) {
      return failed('dd', `failed to open '${output}': ${reason(error)}`)
    }
    return { ...bytes(''), stderr: report }
  },
}

async function read(
  path: string | undefined,
  skip: number,
  most: number | undefined,
  context: Parameters<OwnCommand['run']>[1],
  files: { endlessCut: boolean },
): Promise<string> {
  if (path === '/dev/zero' || path === '/dev/urandom' || path === '/dev/random') {
    if (most === undefined) throw new Error('an input without end needs count= here')
    if (most > context.limits.maxStringLength) throw new Error(`${most} bytes are more than fit here`)
    if (path === '/dev/zero') return '\0'.repeat(most)
    let data = ''
    while (data.length < most) data += await readInput(path, context)
    files.endlessCut = false
    return data.slice(0, most)
  }
  const data = await readInput(path, context)
  return data.slice(skip, most === undefined ? undefined : skip + most)
}

async function write(
  path: string,
  data: string,
  seek: number,
  keep: boolean,
  { fs, cwd }: Parameters<OwnCommand['run']>[1],
): Promise<void> {
  const full = fs.resolvePath(cwd, path)
  const old =
    seek > 0 || keep ? await fs.readFileBuffer(full).catch(() => new Uint8Array()) : new Uint8Array()
  const added = Buffer.from(data, 'latin1')
  const length = Math.max(keep ? old.length : 0, seek + added.length)
  const content = new Uint8Array(length)
  content.set(old.subarray(0, keep ? old.length : Math.min(old.length, seek)))
  content.set(added, seek)
  await fs.writeFile(full, content)
}

function told(size: number, block: number, status: string | undefined): string {
  if (status === 'none') return ''
  const [whole, part] = [Math.floor(size / block), size % block > 0 ? 1 : 0]
  const records = `${whole}+${part} records in\n${whole}+${part} records out\n`
  return status === 'noxfer'
    ? records
    : `${records}${size} bytes copied, 0.001 s, ${(size / 1e3).toFixed(1)} MB/s\n`
}
