import { signal } from '@preact/signals'
import type { ServiceClient, ServiceError } from '../service/service-client.ts'
import type { SelfData } from '../service/service-data.ts'
import { HostFigures } from './host-figures.ts'
import { ListView } from './list-view.ts'
import { SandboxList } from './sandbox-list.ts'

/** What one bearer of a token works with. */
export class Workspace {
  readonly client: ServiceClient
  readonly self: SelfData
  readonly list: SandboxList
  readonly view: ListView
  /** Undefined where the token has not the scope `metrics`. */
  readonly figures: HostFigures | undefined
  /** Whether commands can be run, changes applied, and sandboxes opened and closed. */
  readonly mayOperate: boolean

  constructor(client: ServiceClient, self: SelfData, onRefused: (error: ServiceError) => void) {
    this.client = client
    this.self = self
    this.mayOperate = self.scopes.includes('operate')
    this.list = new SandboxList(client, onRefused)
    this.view = new ListView(this.list.sandboxes)
    this.figures = self.scopes.includes('metrics') ? new HostFigures(client) : undefined
  }

  close(): void {
    this.list.close()
    this.figures?.close()
  }
}

/** What was told last to people who hear the page. */
export const announcement = signal('')

/** Tells something to people who hear the page. */
export function announce(text: string): void {
  announcement.value = text
}
