// Serves native shells on the parent's pipe, one JSON line a call: a panic or a crash stays in this process.
const { createReadStream } = require('node:fs')
const { createInterface } = require('node:readline')

const { ShellBuilder } = require(process.argv[2])
const shells = new Map()

const decode = (value) =>
  value?.base64 === undefined ? value : new Uint8Array(Buffer.from(value.base64, 'base64'))
const encode = (value) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value

async function call({ shell, method, parameters }) {
  if (method !== 'build') return encode(await shells.get(shell)[method](...parameters.map(decode)))
  const builder = new ShellBuilder()
  for (const [setter, ...values] of parameters) builder[setter](...values)
  shells.set(shell, await builder.build())
  return null
}

createInterface({ input: createReadStream('', { fd: 3 }) }).on('line', async (line) => {
  const request = JSON.parse(line)
  let reply
  try {
    reply = { id: request.id, value: await call(request) }
  } catch (error) {
    reply = { id: request.id, error: error.message }
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`)
})
