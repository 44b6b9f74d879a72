import type { Transitions } from '#shared/platform/states.ts'
import type { Store } from './store.ts'

export type StoreStatus = Store['status']

/** What may become of a store. Purged, it is not there any more. */
export const NEXT: Transitions<StoreStatus> = {
  active: ['suspended', 'deleted'],
  suspended: ['active', 'deleted'],
  deleted: ['active'],
}
