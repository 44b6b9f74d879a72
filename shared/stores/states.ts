import type { Transitions } from '#shared/platform/states.ts'

export const STORE_STATUSES = ['active', 'suspended', 'deleted'] as const
export type StoreStatus = (typeof STORE_STATUSES)[number]

/** The allowed transitions. A purged store has no row. */
export const STORE_TRANSITIONS: Transitions<StoreStatus> = {
  active: ['suspended', 'deleted'],
  suspended: ['active', 'deleted'],
  deleted: ['active'],
}
