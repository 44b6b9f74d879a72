import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { StoreChange } from '#shared/stores/lifecycle/update-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { LIVE_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'

/**
 * Throws `subscription.prices_fixed` for a change of `pricesIncludeTax` while subscriptions run. Their entered prices
 * stay, so their next charges would add the tax to prices that contain it, or leave it out.
 */
export async function assertPricesKept(
  tx: StoreTx,
  store: Pick<Store, 'pricesIncludeTax'>,
  { pricesIncludeTax = store.pricesIncludeTax }: StoreChange,
): Promise<void> {
  if (pricesIncludeTax === store.pricesIncludeTax) return
  const running = await Subscription.in(tx).whereIn('status', LIVE_SUBSCRIPTION_STATUSES).select('id').first()
  if (running) throw SubscriptionErrors.pricesFixed()
}
