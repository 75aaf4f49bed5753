import { describeContract } from '../sandbox/contract.ts'
import { isFull } from '../support/tier.ts'
import { describePlaces, describeSsh, type Place } from './support/places.ts'

const contract = (place: Place) =>
  describeContract(place.name, { open: () => place.open(), directory: place.directory })

// Behind a server a command passes all that it passes here, and the connection.
if (isFull) describePlaces('the sandbox contract', contract, 'one')
else describeSsh('the sandbox contract', contract, 'one')
