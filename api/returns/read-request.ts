import type { Static } from 'typebox'
import { lowercaseId, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import type { Arrival } from '#shared/returns/lifecycle/receive-return.ts'
import type { ReturnRefundOptions } from '#shared/returns/lifecycle/refund-return.ts'
import type { ReturnRequest } from '#shared/returns/request/request-return.ts'
import type { RequestedItem } from '#shared/returns/return-item.ts'
import type {
  CreateOwnReturnRequest,
  CreateReturnRequest,
  ReceiveReturnRequest,
  RefundReturnRequest,
} from './schemas.ts'

type Create = Static<typeof CreateReturnRequest> | Static<typeof CreateOwnReturnRequest>

export const toReturnRequest = ({
  order_id: _,
  comment = null,
  items,
  ...request
}: Create): ReturnRequest => ({
  ...request,
  comment,
  items: toRequestedItems(items),
})

export const toRequestedItems = (items: Create['items']): RequestedItem[] =>
  items.map(({ order_item_id, quantity, reason, condition = null, note = null }) => ({
    orderItemId: lowercaseId(order_item_id),
    quantity,
    reason,
    condition,
    note,
  }))

export const toArrivals = ({ items }: Static<typeof ReceiveReturnRequest>): Arrival[] =>
  items.map(({ id, quantity, disposition, condition }) => ({
    itemId: lowercaseId(id),
    quantity,
    disposition,
    condition,
  }))

export function toReturnRefund(
  { shipping_amount, fee_amount, reason }: Static<typeof RefundReturnRequest>,
  currency: string,
): ReturnRefundOptions {
  return {
    shippingAmountMinor: toMinorIfPresent(shipping_amount, currency, ['shipping_amount']),
    feeMinor: toMinorIfPresent(fee_amount, currency, ['fee_amount']),
    reason,
  }
}

/** Converts an id of a query. An empty value and the text `null` mean null. */
export const toNullableId = (id: string | null | undefined): string | null =>
  !id || id === 'null' ? null : lowercaseId(id)
