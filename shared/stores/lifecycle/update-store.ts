import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { assertTimeZone } from '#shared/stores/settings/assert-time-zone.ts'
import {
  lockStore,
  ownStore,
  type Store,
  WHOLE_STORE_COLUMNS,
  type WholeStore,
} from '#shared/stores/store.ts'
import { assertConsistentSettings } from './assert-consistent-settings.ts'

type FixedField =
  | 'id'
  | 'slug'
  | 'status'
  | 'currency'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
  | 'purgeRequestedAt'
  | 'purgeStartedAt'

/** The settings to change; omitted fields keep their value. */
export type StoreChange = Partial<Omit<WholeStore, FixedField>>

interface Conditions {
  /** The `If-Match` header of the request. */
  ifMatch: string | undefined
  /**
   * Throws if the caller may not make the change. It runs while the store is locked. Stores may not import staff, so
   * the caller passes this check in.
   */
  authorize: (tx: StoreTx, store: Store, change: StoreChange) => Promise<void> | void
  /** Reports the change to the store's owner. The caller passes it in, too. */
  report: (tx: StoreTx, before: Store, after: Store) => Promise<void>
}

/**
 * Changes the store's settings and returns the changed store. Throws 422 for an unknown language, time zone or country,
 * and `resource.changed` if `ifMatch` is outdated.
 */
export async function updateStore(
  tx: StoreTx,
  change: StoreChange,
  { ifMatch, authorize, report }: Conditions,
): Promise<WholeStore> {
  // Lock first, so that a concurrent change is not overwritten with older values.
  const store = await lockStore(tx)
  await authorize(tx, store, change)
  assertUnchanged(store, ifMatch)
  const updatedAt = nextUpdatedAt(store)
  const changed = { ...store, ...change, updatedAt }
  assertConsistentSettings(changed)
  if (changed.timeZone !== store.timeZone) await assertTimeZone(tx, changed.timeZone)
  if (SHOWN_PRICES.some((field) => changed[field] !== store[field])) bumpCatalogVersion(tx)
  await ownStore(tx).update(toColumns({ ...change, updatedAt }))
  await report(tx, store, changed)
  return changed
}

/** The settings on which the prices of the catalog depend. */
const SHOWN_PRICES = ['country', 'pricesIncludeTax', 'crossBorderPrices'] as const

const toColumns = (fields: Partial<WholeStore>) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [WHOLE_STORE_COLUMNS[field as keyof WholeStore], value]),
  )
