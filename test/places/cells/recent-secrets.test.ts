import { expect, it } from 'vitest'
import { RecentSecrets } from '../../../src/places/cells/recent-secrets.ts'

it('remembers the secrets that were added last', () => {
  const secrets = new RecentSecrets(2)
  for (const secret of ['a', 'b', 'a', 'c', 'c']) secrets.add(secret)
  expect([...secrets]).toEqual(['a', 'c'])
})
