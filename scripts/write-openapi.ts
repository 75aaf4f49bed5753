// Writes the OpenAPI document of the service into docs: npx tsx scripts/write-openapi.ts
import { writeFileSync } from 'node:fs'
import { serve } from '../src/service/index.ts'

const token = 'the-token-of-this-script'
await using service = await serve({ tokens: [{ token, name: 'script' }] })
const response = await fetch(`${service.url}/openapi.json`, { headers: { authorization: `Bearer ${token}` } })
const document: unknown = await response.json()
writeFileSync(new URL('../docs/openapi.json', import.meta.url), `${JSON.stringify(document, undefined, 2)}\n`)
