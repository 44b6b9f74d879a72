import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { StoreChange } from '#shared/stores/lifecycle/update-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { SubscriptionErrors } from '#shared/subscriptions/errors.ts'
import { LIVE_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { hasRegionalRates } from '#shared/tax/rates/has-regional-rates.ts'

type PriceSettings = Pick<Store, 'pricesIncludeTax' | 'crossBorderPrices' | 'country'>

/**
 * Throws `subscription.prices_fixed` for a change of `pricesIncludeTax`, `crossBorderPrices` or `country` that would
 * change the next charges of live subscriptions. Their entered prices stay, so with another setting they would contain
 * another tax.
 */
export async function assertPricesKept(
  tx: StoreTx,
  store: PriceSettings,
  {
    pricesIncludeTax = store.pricesIncludeTax,
    crossBorderPrices = store.crossBorderPrices,
    country = store.country,
  }: StoreChange,
): Promise<void> {
  const changed = { pricesIncludeTax, crossBorderPrices, country }
  if (await changesCharges(tx, store, changed)) throw SubscriptionErrors.pricesFixed()
}

/** Whether the change would change the next charge of a live subscription. */
async function changesCharges(tx: StoreTx, before: PriceSettings, after: PriceSettings): Promise<boolean> {
  const live = Subscription.in(tx).whereIn('status', LIVE_SUBSCRIPTION_STATUSES)
  if (before.pricesIncludeTax !== after.pricesIncludeTax) return isFound(live)
  if (!before.pricesIncludeTax) return false
  const homeBefore = homeOf(before)
  const homeAfter = homeOf(after)
  if (homeBefore === homeAfter) return false
  const home = homeBefore ?? homeAfter ?? ''
  const movesHome = homeBefore !== null && homeAfter !== null
  if (movesHome || (await hasRegionalRates(tx, home))) return isFound(live)
  return isFound(live.whereRaw("shipping_address ->> 'country' <> ?", [home]))
}

/**
 * Returns the country whose tax rates the prices contain; null if they contain those of the buyer's place
 * (`keep_gross`).
 */
const homeOf = ({ crossBorderPrices, country }: PriceSettings): string | null =>
  crossBorderPrices === 'keep_net' ? (country ?? '') : null

const isFound = async (subscriptions: QueryBuilderType<Subscription>): Promise<boolean> =>
  (await subscriptions.select('id').first()) !== undefined
