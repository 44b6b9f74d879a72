import { Type } from 'typebox'
import { BuyerNoteView, findVisibleNotes, viewBuyerNote } from '#shared/order-history/order-note.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { OrderView } from '#shared/orders/view.ts'
import { BuyerPaymentView } from '#shared/payments/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Shape } from '#shared/platform/http/schema.ts'

/** An order as its buyer reads it. */
export const BuyerOrderView = Shape({ ...OrderView.properties, notes: Type.Array(BuyerNoteView) })

/** Returns an order with the notes of the store to its buyer. */
export const loadBuyerOrder = async (tx: StoreTx, orderId: string) => ({
  ...(await loadOrderView(tx, orderId)),
  notes: (await findVisibleNotes(tx, orderId)).map(viewBuyerNote),
})

/** An order that a guest found, and the token by which the guest reads, pays and returns it. */
export const FoundOrderView = Shape({ order: BuyerOrderView, access_token: Type.String() })

/** An order whose payment is open again. */
export const PaidOrderView = Shape({ order: OrderView, payment: BuyerPaymentView })
