import { useEffect, useRef, useState } from 'preact/hooks'
import { ServiceError } from '../service/service-client.ts'

/** Something that the service is asked to do: whether it is at it, and what it refused. */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const run = (act: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    act()
      .catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error
        if (isShown.current) setProblem(error.message)
      })
      .finally(() => {
        if (isShown.current) setBusy(false)
      })
  }
  return { isBusy, problem, run }
}
