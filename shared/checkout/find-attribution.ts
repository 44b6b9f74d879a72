import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findWinningClick, type LinkBuyer } from '#shared/visits/find-winning-click.ts'
import type { CheckoutRequest } from './checkout-request.ts'

/** The campaign or affiliate that an order counts for. It never changes. */
export type Attribution = Pick<Order, 'campaignId' | 'affiliateId'>

/** Finds the campaign or affiliate whose link led to an order. */
export async function findAttribution(
  tx: StoreTx,
  request: CheckoutRequest,
  buyer: LinkBuyer,
): Promise<Attribution> {
  const source = await findWinningClick(tx, request, buyer)
  return {
    campaignId: source?.kind === 'campaign' ? source.id : null,
    affiliateId: source?.kind === 'affiliate' ? source.id : null,
  }
}
