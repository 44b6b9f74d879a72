import { type Static, Type } from 'typebox'
import { findDisputes } from '#shared/disputes/dispute.ts'
import { DisputeView, viewDispute } from '#shared/disputes/view.ts'
import { loadOrderViews } from '#shared/orders/load-order-view.ts'
import { findOrder, type Order } from '#shared/orders/order.ts'
import { listOrderHistory } from '#shared/orders/order-step.ts'
import { OrderStepView, viewOrderStep } from '#shared/orders/step-view.ts'
import { findOrderShortages } from '#shared/orders/stock/order-shortage.ts'
import { OrderShortageView, viewOrderShortage } from '#shared/orders/stock/shortage-view.ts'
import { OrderView } from '#shared/orders/view.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import { PaymentView, SurplusView, viewPayment, viewSurplus } from '#shared/payments/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { findMoneyRetries, MoneyRetryView } from '#shared/refunds/money-retries.ts'

/** An order with its payments, surpluses, disputes and history, each oldest first, and its shortages. */
export const OrderDetailView = Shape({
  ...OrderView.properties,
  refund_owed: Type.Boolean({
    description:
      'The order is refunded or canceled, and captured money is not refunded, e.g. because a bank returned a refund ' +
      'or revised a lost dispute of an order that was not sent. Refund it again, or record with `outside_gateway` ' +
      'that the buyer was paid by other means',
  }),
  payments: Type.Array(PaymentView),
  retries: Type.Array(MoneyRetryView, {
    description:
      'Payments and refunds whose request to the payment gateway failed and is repeated automatically',
  }),
  surpluses: Type.Array(SurplusView, {
    description:
      'Money that was paid and that the order does not need. It is returned automatically if a gateway captured it; ' +
      'staff return any other, and call `mark-surplus-returned`',
  }),
  disputes: Type.Array(DisputeView),
  shortages: Type.Array(OrderShortageView, {
    description: 'Lines whose units are not all on hand. The oldest orders get the units first',
  }),
  history: Type.Array(OrderStepView),
})

/** Returns an order as staff see it. Throws `resource.not_found` if it does not exist. */
export async function readOrderDetail(
  tx: StoreTx,
  orderId: string,
): Promise<{ order: Order; view: Static<typeof OrderDetailView> }> {
  const order = await findOrder(tx, orderId)
  const [view] = (await loadOrderViews(tx, [order])) as [Static<typeof OrderView>]
  const found = await listPayments(tx, orderId)
  const payments = found.map(viewPayment)
  const retries = await findMoneyRetries(tx, orderId, found)
  const surpluses = (await listSurpluses(tx, orderId)).map(viewSurplus)
  const disputes = (await findDisputes(tx, orderId)).map(viewDispute)
  const shortages = (await findOrderShortages(tx, orderId)).map(viewOrderShortage)
  const history = (await listOrderHistory(tx, orderId)).map(viewOrderStep)
  return {
    order,
    view: {
      ...view,
      refund_owed: order.isRefundOwed,
      payments,
      retries,
      surpluses,
      disputes,
      shortages,
      history,
    },
  }
}
