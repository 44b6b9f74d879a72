import { findOrderItems } from '#shared/orders/order-item.ts'
import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { refundReturn } from '#shared/returns/lifecycle/refund-return.ts'
import { replaceReturn } from '#shared/returns/lifecycle/replace-return.ts'
import { Return } from '#shared/returns/return.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { lockVoucher, Voucher } from '#shared/vouchers/voucher.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { confirmIntent, createIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { bounceRefund, createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { expireOrder } from '#workers/payments/close/expire-order.ts'
import { applyNotification } from '#workers/payments/notifications/apply-notification.ts'
import type { Handler } from '#workers/platform/handle.ts'
import { sendRefund } from '#workers/refunds/send-refund.ts'

/** One order when two acts meet. */
export interface Sale {
  storeId: string
  orderId: string
}

/** A part of an act that nothing else can come between, but for transactions of the service. */
export type ActStep = () => Promise<unknown>

/** An act on a sale, in steps. */
export type Act = (sale: Sale) => ActStep[]

const STAFF = 'staff:1'

const inSale = <T>({ storeId }: Sale, work: (tx: StoreTx) => Promise<T>): Promise<T> => inStore(storeId, work)

/** Runs a job immediately. Its copy in the queue runs later, which must change nothing. */
const run = (handler: Handler, { storeId }: Sale, payload: object): Promise<void> =>
  handler.run({ storeId, ...payload }, { jobId: 'now', retry: 0, signal: AbortSignal.timeout(60_000) })

/** Delivers the last event about an object of the gateway, and handles it. */
async function deliver(sale: Sale, id: string): Promise<void> {
  const event = gateway
    .change(({ books }) => books.all('events'))
    .findLast(({ data }) => (data.object as { id: string }).id === id)
  if (!event) return
  await receiveNotification({
    provider: 'stripe',
    id: event.id,
    type: event.type,
    object: { ...event.data.object },
  })
  await run(applyNotification, sale, { provider: 'stripe', notificationId: event.id })
}

const paymentsOf = (sale: Sale) => inSale(sale, async (tx) => listPayments(tx, sale.orderId))

/** The last charge of the order's payments. */
async function chargeOf(sale: Sale) {
  const references = (await paymentsOf(sale)).map(({ gatewayReference }) => gatewayReference)
  const { charges } = gateway.ledger()
  const charge = charges.findLast((one) => one.captured && references.includes(one.payment_intent))
  if (!charge?.payment_intent) throw new Error(`The order ${sale.orderId} has no charge`)
  return { ...charge, payment_intent: charge.payment_intent }
}

/** A change at the gateway, then the delivery of its event. `change` returns the id of what has changed. */
const atGateway =
  (change: (sale: Sale) => Promise<string>): Act =>
  (sale) => {
    let id: string | undefined
    return [
      async () => {
        id = await change(sale)
      },
      async () => id && deliver(sale, id),
    ]
  }

/** A request of staff for a refund, then the job that sends it. */
const byStaff =
  (request: (tx: StoreTx, sale: Sale) => Promise<{ id: string }>): Act =>
  (sale) => {
    let refundId: string | undefined
    return [
      async () => {
        refundId = (await inSale(sale, (tx) => request(tx, sale))).id
      },
      async () => refundId && run(sendRefund, sale, { refundId }),
    ]
  }

const returnOf = async (tx: StoreTx, { orderId }: Sale): Promise<string> =>
  (await Return.in(tx).findOne('order_id', orderId).throwIfNotFound()).id

export const ACTS = {
  'a refund of a unit': byStaff(async (tx, { orderId }) => {
    const [line] = await findOrderItems(tx, orderId)
    const items = [{ orderItemId: line?.id ?? '', quantity: 1 }]
    return requestRefund(tx, orderId, { items, restock: true, reason: 'Damaged' }, requester(STAFF))
  }),
  'a refund of all units by override': byStaff(async (tx, { orderId }) => {
    const lines = await findOrderItems(tx, orderId)
    const items = lines
      .filter(({ variantId }) => variantId)
      .map(({ id, quantity, refundedQuantity }) => ({
        orderItemId: id,
        quantity: quantity - refundedQuantity,
      }))
      .filter(({ quantity }) => quantity > 0)
    return requestRefund(tx, orderId, { items, override: true, reason: 'Lost' }, requester(STAFF))
  }),
  'a refund of a bought voucher': byStaff(async (tx, { orderId }) => {
    const lines = await findOrderItems(tx, orderId)
    const voucher = lines.find(({ variantId }) => !variantId)
    const items = [{ orderItemId: voucher?.id ?? '', quantity: 1 }]
    return requestRefund(tx, orderId, { items, override: true, reason: 'Unwanted' }, requester(STAFF))
  }),
  'a refund in the dashboard': atGateway(async (sale) => {
    const { payment_intent, amount_captured, currency } = await chargeOf(sale)
    const third = Math.floor(amount_captured / 3)
    const amount = `${currency === 'kwd' ? third - (third % 10) : third}`
    return gateway.change((context) => createRefund(context, { payment_intent, amount })).id
  }),
  'an opened dispute': atGateway(async (sale) => {
    const { payment_intent, amount } = await chargeOf(sale)
    return gateway.change((context) =>
      openDispute(context, { payment_intent, amount: Math.ceil(amount / 2) }),
    ).id
  }),
  'a lost dispute': atGateway(async (sale) => {
    const { id, payment_intent } = await chargeOf(sale)
    return gateway.change((context) => {
      const open = context.books
        .all('disputes')
        .find(({ charge, status }) => charge === id && status === 'needs_response')
      return changeDispute(context, (open ?? openDispute(context, { payment_intent })).id, 'lost').id
    })
  }),
  'the end of a refund': atGateway(async (sale) => {
    const { id } = await chargeOf(sale)
    const refunds = gateway.ledger().refunds.filter(({ charge }) => charge === id)
    const pending = refunds.find(({ status }) => status === 'pending')
    const succeeded = refunds.find(({ status }) => status === 'succeeded')
    if (pending) gateway.change((context) => settleRefund(context, pending.id, 'succeeded'))
    else if (succeeded) gateway.change((context) => bounceRefund(context, succeeded.id))
    return (pending ?? succeeded)?.id ?? ''
  }),
  'a second payment': atGateway(async (sale) => {
    const { amount, currency } = await chargeOf(sale)
    const [payment] = await paymentsOf(sale)
    const metadata = { store_id: sale.storeId, order_id: sale.orderId, payment_id: payment?.id ?? '' }
    return gateway.change((context) => {
      const { id } = createIntent(context, { amount: `${amount}`, currency, metadata })
      return confirmIntent(context, id, { payment_method: 'pm_card_visa' }).id
    })
  }),
  'the payment': atGateway(async (sale) => {
    const reference = (await paymentsOf(sale)).at(-1)?.gatewayReference ?? ''
    return gateway.change(
      (context) => confirmIntent(context, reference, { payment_method: 'pm_card_visa' }).id,
    )
  }),
  'a payment outside the gateway': (sale) => [
    () => inSale(sale, (tx) => markOrderPaid(tx, sale.orderId, STAFF)),
  ],
  'a deduction from the bought voucher': (sale) => [
    () =>
      inSale(sale, async (tx) => {
        const lineIds = (await findOrderItems(tx, sale.orderId)).map(({ id }) => id)
        const { id: voucherId } = await Voucher.in(tx)
          .whereIn('order_item_id', lineIds)
          .first()
          .throwIfNotFound()
        const { remainingMinor } = await lockVoucher(tx, voucherId)
        const amountMinor = -remainingMinor / 3n
        if (amountMinor) await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor, actor: STAFF })
      }),
  ],
  'the expiry': (sale) => [() => run(expireOrder, sale, { orderId: sale.orderId })],
  'the refund of a return': byStaff(async (tx, sale) =>
    refundReturn(tx, await returnOf(tx, sale), {}, STAFF),
  ),
  'a replacement': (sale) => [
    () => inSale(sale, async (tx) => replaceReturn(tx, await returnOf(tx, sale), STAFF)),
  ],
} as const satisfies Record<string, Act>

export type ActName = keyof typeof ACTS
