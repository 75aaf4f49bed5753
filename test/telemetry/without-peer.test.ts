import { expect, it } from 'vitest'
import { importWithout } from '../tools/support/without-package.ts'

it.each([
  ['@opentelemetry/api', 'src/otel/index.ts'],
  ['prom-client', 'src/prometheus/index.ts'],
])('without %s the import of %s says how to install it', async (name, file) => {
  expect(await importWithout(name, file)).toBe(
    `This part of strands-shell-runtime needs the package ${name}, which is not installed. Install it: npm install ${name}`,
  )
  expect(await importWithout(name, 'src/index.ts')).toBe('imported')
})
