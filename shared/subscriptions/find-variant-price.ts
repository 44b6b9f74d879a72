import { findUnitPrices } from '#shared/catalog/variants/find-unit-prices.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Subscription } from './subscription.ts'

/**
 * Returns the current price of one unit of a subscription's variant: at the subscription's quantity, and for the
 * customer's group. Undefined if the variant is gone.
 */
export const findVariantPrice = async (
  tx: StoreTx,
  subscription: Pick<Subscription, 'variantId' | 'customerId' | 'quantity'>,
): Promise<bigint | undefined> =>
  (await findUnitPrices(tx, subscription, [subscription.quantity])).get(subscription.quantity)
