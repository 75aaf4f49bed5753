import { describeContract } from '../sandbox/contract.ts'
import { isFull } from '../support/tier.ts'
import { describePlaces, describeSsh, type Place } from './support/places.ts'

const contract = (place: Place) =>
  describeContract(place.name, { open: () => place.open(), directory: place.directory })

describePlaces('the sandbox contract', contract, 'one')
if (!isFull) describeSsh('the sandbox contract', contract, 'one')
