import type { Place } from '../places/place.ts'

/** A place that also gives its admission back when it is released or retired. */
export function admittedPlace(place: Place, releaseAdmission: () => void): Place {
  return {
    ...place,
    release: () => {
      try {
        place.release()
      } finally {
        releaseAdmission()
      }
    },
    retire: (how) => {
      try {
        place.retire(how)
      } finally {
        releaseAdmission()
      }
    },
  }
}
