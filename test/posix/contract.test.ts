import { describeContract } from '../sandbox/contract.ts'
import { isFull } from '../support/tier.ts'
import { describePlaces, describeSsh, type Place } from './support/places.ts'

const contract = (has?: (index: number, title: string) => boolean) => (place: Place) =>
  describeContract(place.name, { open: () => place.open(), directory: place.directory }, has)

/** Statements that try many names. files.test.ts has one of each kind in the default tier, which all methods quote alike. */
const ofNames = ['accepts any file name', 'moves, copies and removes what has any name']
// Behind a server a command passes all that it passes here, and the connection: ten times the processor time.
const isFar = (index: number) => index % 8 === 0
if (isFull) describePlaces('the sandbox contract', contract(), 'one')
else {
  describePlaces(
    'the sandbox contract',
    contract((index, title) => !isFar(index) && !ofNames.includes(title)),
  )
  describeSsh('the sandbox contract', contract(isFar), 'one')
}
