import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { authorizeSettingsChange, type SettingsActor } from '#shared/staff/authorize-settings-change.ts'
import type { StoreChange } from '#shared/stores/lifecycle/update-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertPricesKept } from '#shared/subscriptions/prices/assert-prices-kept.ts'

/** Checks a change of the settings by staff. Throws like `authorizeSettingsChange` and `assertPricesKept`. */
export const authorizeChange =
  (actor: SettingsActor) =>
  async (tx: StoreTx, store: Store, change: StoreChange): Promise<void> => {
    await authorizeSettingsChange(actor)(tx, store, change)
    await assertPricesKept(tx, store, change)
  }
