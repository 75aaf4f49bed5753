import { describeContract } from '../sandbox/contract.ts'
import { describePlaces } from './support/places.ts'

describePlaces('the sandbox contract', (place) => {
  describeContract(place.name, { open: () => place.open(), directory: place.directory })
})
