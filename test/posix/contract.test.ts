import { describeContract } from '../sandbox/contract.ts'
import { describePlaces, type Place } from './support/places.ts'

const contract = (place: Place) =>
  describeContract(place.name, { open: () => place.open(), directory: place.directory })

describePlaces('the sandbox contract', contract, 'one')
