import type { StoreTx } from '#shared/platform/store-scope.ts'

/** An event as a listener sees it. */
export interface PublishedEvent {
  id: string
  type: string
  data: unknown
}

/** What follows from an event: runs in the transaction that publishes it, and may do no more than enqueue jobs. */
export type Listener = (tx: StoreTx, event: PublishedEvent) => Promise<unknown>

/** Event type → what follows. What would need an import against the order of domains is a line here. */
export const listeners: Readonly<Record<string, readonly Listener[]>> = {}
