import type { Place } from '../places/place.ts'

/** A place whose end, in either way, also tells its host's admission. */
export function admittedPlace(place: Place, leave: () => void): Place {
  return {
    ...place,
    release: () => {
      try {
        place.release()
      } finally {
        leave()
      }
    },
    retire: (how) => {
      try {
        place.retire(how)
      } finally {
        leave()
      }
    },
  }
}
