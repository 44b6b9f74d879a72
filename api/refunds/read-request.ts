import type { Static } from 'typebox'
import { toMinor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { RefundRequest } from '#shared/refunds/request-refund.ts'
import type { RefundRequestBody } from './schemas.ts'

type Body = Static<typeof RefundRequestBody>

/** A request in the domain's terms: what a schema cannot say about it is checked here. */
export function readRefundRequest(body: Body, currency: string): RefundRequest {
  const { amount, items, shipping_amount: shipping, restock, reason } = body
  const why = { restock, reason }
  const byLines = items !== undefined || shipping !== undefined
  if ((amount !== undefined) === byLines)
    throw invalid([], 'Send either amount, or items and shipping_amount, or one of these two')
  if (restock && !items) throw invalid(['restock'], 'Only items can go back on sale: name them')
  if (amount !== undefined) return { ...why, amountMinor: toMinor(amount, currency, ['amount']) }
  return {
    ...why,
    items: readItems(items ?? []),
    ...(shipping === undefined
      ? {}
      : { shippingAmountMinor: toMinor(shipping, currency, ['shipping_amount']) }),
  }
}

function readItems(items: NonNullable<Body['items']>) {
  const seen = new Set<string>()
  return items.map(({ order_item_id, quantity }, index) => {
    const orderItemId = order_item_id.toLowerCase()
    if (seen.has(orderItemId))
      throw invalid(['items', index, 'order_item_id'], 'This line is named twice', order_item_id)
    seen.add(orderItemId)
    return { orderItemId, quantity }
  })
}
