import type { Static } from 'typebox'
import { lowercaseId } from '#api/platform/input/request-fields.ts'
import { toMinor } from '#shared/platform/money.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import type { CreateRefundRequest } from './schemas.ts'

type Body = Static<typeof CreateRefundRequest>

/** Converts a request body to the domain's request. Checks the rules that the schema cannot express. */
export function toRefundRequest(body: Body, currency: string): RefundRequest {
  const { amount, items, shipping_amount: shipping, restock, reason, override } = body
  const means = body.outside_gateway ? 'outside_gateway' : 'gateway'
  const rest = { restock, reason, override, means } as const
  const byLines = items !== undefined || shipping !== undefined
  if ((amount !== undefined) === byLines)
    throw invalid([], 'Send `amount`, or `items`, `shipping_amount` or both of these')
  if (restock && !items) throw invalid(['restock'], 'List the items to restock')
  if (amount !== undefined) return { ...rest, amountMinor: toMinor(amount, currency, ['amount']) }
  return {
    ...rest,
    items: toRefundedItems(items ?? []),
    ...(shipping === undefined
      ? {}
      : { shippingAmountMinor: toMinor(shipping, currency, ['shipping_amount']) }),
  }
}

function toRefundedItems(items: NonNullable<Body['items']>) {
  const seen = new Set<string>()
  return items.map(({ order_item_id, quantity }, index) => {
    const orderItemId = lowercaseId(order_item_id)
    if (seen.has(orderItemId))
      throw invalid(
        ['items', index, 'order_item_id'],
        'List each line once, with all of its units',
        order_item_id,
      )
    seen.add(orderItemId)
    return { orderItemId, quantity }
  })
}
