import type { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findWinningClick, type LinkBuyer } from '#shared/visits/find-winning-click.ts'
import type { CheckoutRequest } from './checkout-request.ts'

/** The attribution of an order. It never changes. */
export type Attribution = Pick<Order, 'campaignId' | 'affiliateId'>

/** Attributes an order to the campaign or the affiliate whose link won it. */
export async function attributeOrder(
  tx: StoreTx,
  request: CheckoutRequest,
  buyer: LinkBuyer,
): Promise<Attribution> {
  const won = await findWinningClick(tx, request, buyer)
  return {
    campaignId: won?.kind === 'campaign' ? won.id : null,
    affiliateId: won?.kind === 'affiliate' ? won.id : null,
  }
}
