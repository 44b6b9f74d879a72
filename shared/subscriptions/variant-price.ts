import { findUnitPrices } from '#shared/catalog/variants/find-unit-prices.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Subscription } from './subscription.ts'

/**
 * The current price of a unit of a subscription's variant, as its customer would buy it: in its quantity, and with the
 * prices of their group. Undefined for a variant that is gone.
 */
export const findVariantPrice = async (
  tx: StoreTx,
  subscription: Pick<Subscription, 'variantId' | 'customerId' | 'quantity'>,
): Promise<bigint | undefined> =>
  (await findUnitPrices(tx, subscription, [subscription.quantity])).get(subscription.quantity)
