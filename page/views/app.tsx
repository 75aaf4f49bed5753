import { useEffect, useState } from 'preact/hooks'
import { ServiceClient, ServiceError } from '../service/service-client.ts'
import { forgetToken, keepToken } from '../service/token.ts'
import { announcement, Workspace } from '../state/workspace.ts'
import { SignIn } from './sign-in.tsx'
import { WorkspaceView } from './workspace.tsx'

/** Milliseconds before a service that does not answer is asked again. */
const retryTime = 2_000

/** The page: it asks for a token, and shows what its bearer may see. */
export function App({ token: given }: { readonly token: string | undefined }) {
  const [token, setToken] = useState(given)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [workspace, setWorkspace] = useState<Workspace | undefined>(undefined)

  useEffect(() => {
    if (token === undefined) return undefined
    let opened: Workspace | undefined
    let isCurrent = true
    const leave = (reason: string | undefined) => {
      forgetToken()
      setProblem(reason)
      setToken(undefined)
      setWorkspace(undefined)
    }
    const client = new ServiceClient(token)
    const open = async () => {
      try {
        const self = await client.self()
        if (!isCurrent) return
        keepToken(token)
        opened = new Workspace(client, self, (error) => leave(error.message))
        setWorkspace(opened)
      } catch (error) {
        if (!isCurrent) return
        if (!(error instanceof ServiceError)) throw error
        if (error.code === 'UNAUTHORIZED') leave('This token is not valid.')
        else {
          setProblem(`${error.message} It is asked again.`)
          setTimeout(() => isCurrent && open(), retryTime)
        }
      }
    }
    void open()
    return () => {
      isCurrent = false
      opened?.close()
    }
  }, [token])

  const signOut = () => {
    forgetToken()
    setProblem(undefined)
    setToken(undefined)
    setWorkspace(undefined)
  }
  return (
    <>
      {workspace === undefined ? (
        <SignIn problem={problem} isBusy={token !== undefined} onToken={setToken} />
      ) : (
        <WorkspaceView workspace={workspace} onSignOut={signOut} />
      )}
      <div role="status" class="unseen">
        {announcement}
      </div>
    </>
  )
}
