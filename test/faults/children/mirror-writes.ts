import { StrandsShellSandbox } from '../../../src/index.ts'

/** Writes the same files over and over, each time whole with the next number in them, until it is killed. */
const [source = '', names = ''] = process.argv.slice(2)
const sandbox = new StrandsShellSandbox({ binds: [{ source, destination: '/work' }] })
for (let version = 0; ; version++) {
  await sandbox.setEnv('TEXT', `${version}:${'x'.repeat(20_000)}:${version}`)
  await sandbox.execute(
    names
      .split(',')
      .map((name) => `printf '%s' "$TEXT" > /work/${name}`)
      .join('\n'),
  )
  if (version === 0) console.log('begun')
}
