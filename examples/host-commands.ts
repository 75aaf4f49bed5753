// Functions of this program as commands of a sandbox: an agent uses them in pipes, loops and substitutions. The orders and the
// refunds stand for a real service, so the example needs no network.
import { ShellHost } from 'strands-shell-runtime'
import { BashSandbox, type HostCommandMap } from 'strands-shell-runtime/bash'

const orders = [
  { customer: 'ada', total: 10 },
  { customer: 'bob', total: 12 },
  { customer: 'ada', total: 20 },
]
const refunds: string[] = []

const commands: HostCommandMap = {
  orders: {
    description: 'orders [CUSTOMER] prints orders as lines of JSON.',
    async run([customer]) {
      console.log('fetched orders')
      const wanted = orders.filter((order) => customer === undefined || order.customer === customer)
      return wanted.map((order) => `${JSON.stringify(order)}\n`).join('')
    },
  },
  refund: {
    description: 'refund CUSTOMER AMOUNT pays up to 50 back.',
    run([customer = '', amount = '']) {
      // The arguments come from the agent: check them as you check those of a tool.
      const money = Number(amount)
      if (!(money > 0)) return { stderr: 'usage: refund CUSTOMER AMOUNT\n', exitCode: 2 }
      if (money > 50) throw new Error(`${money} is more than 50`)
      refunds.push(`${customer} ${money}`)
      return `paid ${money} to ${customer}\n`
    },
  },
  save: {
    description: 'save FILE writes its input to a file of the sandbox, sorted.',
    async run([file = 'out'], { stdin, writeFile }) {
      await writeFile(file, stdin.split('\n').filter(Boolean).sort().join('\n'))
      return ''
    },
  },
}

// The sandbox runs in a child process: its commands ask this process for what the functions do.
await using host = new ShellHost()
const sandbox = await BashSandbox.open({ commands }, { host })

const { stdout } = await sandbox.execute(
  "orders | jq -r '[.customer, .total] | @tsv' | awk '{ s[$1] += $2 } END { for (c in s) print c \" owes \" s[c] }' | sort",
)
console.log(stdout.trim().replaceAll('\n', ', '))

const refused = await sandbox.execute('refund ada 100')
console.log(`the model sees: exit code ${refused.exitCode}, ${refused.stderr.trim()}`)

await sandbox.execute('printf "bob,12\\nada,30\\n" | save /tmp/sums.csv')
console.log('saved:', (await sandbox.readText('/tmp/sums.csv')).replaceAll('\n', ' '))

// Each statement's output comes as it ends.
const command =
  'echo "$(orders bob | wc -l) order of bob"; echo "$(orders ada | wc -l) orders of ada"; refund ada 5 > /dev/null'
for await (const event of sandbox.executeStreaming(command)) {
  if (event.type === 'streamChunk') console.log('chunk:', event.data.trim())
}
console.log('refunds:', refunds.join(', '))
