import { addItem } from '#shared/cart/add-item.ts'
import { addVoucher } from '#shared/cart/add-voucher.ts'
import { checkOut } from '#shared/checkout/check-out.ts'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { findOrder } from '#shared/orders/order.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import { cancelOrder } from '#shared/orders/status/cancel-order.ts'
import { updateOrder } from '#shared/orders/update-order.ts'
import { receiveEvent } from '#shared/payments/gateway-events/notification.ts'
import { payOrder } from '#shared/payments/open/pay-order.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { markPaidOutsideGateway } from '#shared/refunds/excess/mark-paid-outside-gateway.ts'
import { resolveMismatch } from '#shared/refunds/excess/resolve-mismatch.ts'
import { refundRemainder, requestRefund } from '#shared/refunds/request-refund.ts'
import { approveReturn } from '#shared/returns/decide-return.ts'
import { receiveReturn } from '#shared/returns/receive-return.ts'
import { refundReturn } from '#shared/returns/refund-return.ts'
import { replaceReturn } from '#shared/returns/replace-return.ts'
import { requestReturn } from '#shared/returns/request-return.ts'
import { restockReturn } from '#shared/returns/restock-return.ts'
import { Return } from '#shared/returns/return.ts'
import { ReturnItem } from '#shared/returns/return-item.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { GatewayError } from '#test/sandbox/gateway/errors.ts'
import { confirmIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { bounceRefund, createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { ADDRESS } from '#test/support/build-orders.ts'
import { gateway } from '#test/support/gateway.ts'
import type { Step } from './draw-history.ts'
import { passTime, runJobs, runSchedule, type Shop } from './shop.ts'

interface PlacedOrder {
  id: string
  accessToken: string | null
}

/** A history while it runs. */
export interface Play {
  shop: Shop
  orders: PlacedOrder[]
  /** Events of the gateway up to this number were delivered or lost. */
  delivered: number
  /** Errors of jobs while the gateway worked. */
  errors: string[]
}

/** Plays a step. Refusals by the domain and by the gateway are part of a history; any other error is thrown. */
export async function playStep(play: Play, step: Step): Promise<void> {
  const isFaulty = gateway.faults.list().some(({ used }) => used === 0)
  try {
    await (PLAY[step.kind] as (play: Play, step: Step) => Promise<unknown>)(play, step)
  } catch (error) {
    if (!(error instanceof CodedError) && !(error instanceof GatewayError)) throw error
  }
  const failed = await runJobs()
  if (!isFaulty && gateway.faults.list().length === 0) play.errors.push(...failed)
}

type Of<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>

const orderOf = ({ orders }: Play, position: number): PlacedOrder =>
  orders[position % orders.length] ?? { id: '00000000-0000-7000-8000-000000000000', accessToken: null }

const inShop = <T>({ shop }: Play, work: (tx: StoreTx) => Promise<T>): Promise<T> =>
  inStore(shop.store.id, work)

const readOrder = (play: Play, position: number) =>
  inShop(play, async (tx) => findOrder(tx, orderOf(play, position).id))

const PLAY: { [Kind in Step['kind']]: (play: Play, step: Of<Kind>) => Promise<unknown> } = {
  async checkout(play, { lines, method, voucher, coupon, buysVoucher }) {
    const { store, variantIds, shippingId, couponCode, voucherCode } = play.shop
    const code = voucher === 'bought' ? await findBoughtCode(play) : voucherCode
    const placed = await inShop(play, async (tx) => {
      let holder: { customerId: null; cartToken: string | null } = { customerId: null, cartToken: null }
      for (const { variant, quantity } of lines) {
        const { token } = await addItem(tx, holder, { variantId: variantIds[variant] ?? '', quantity })
        holder = { customerId: null, cartToken: holder.cartToken ?? token ?? null }
      }
      if (buysVoucher) await addVoucher(tx, store.currency, holder, gift(store.currency))
      return checkOut(tx, {
        store,
        language: 'en',
        holder,
        request: {
          email: 'ada@example.test',
          firstname: 'Ada',
          lastname: 'Byron',
          telephone: '+49 431 1234',
          shippingAddress: ADDRESS,
          shippingMethodId: shippingId,
          paymentMethod: method,
          ...(voucher === 'none' ? {} : { voucherCode: code }),
          ...(coupon ? { couponCode } : {}),
        },
      })
    })
    play.orders.push({ id: placed.order.id, accessToken: placed.accessToken })
  },

  async confirm(play, { order, card, difference }) {
    const payments = await inShop(play, async (tx) => listPayments(tx, orderOf(play, order).id))
    const reference = payments.findLast(({ gatewayReference }) => gatewayReference)?.gatewayReference
    if (!reference) return
    gateway.change((context) => {
      const intent = context.books.find('payment_intents', reference)
      if (intent && difference)
        context.books.put('payment_intents', {
          ...intent,
          amount: intent.amount + difference * (intent.currency === 'huf' ? 100 : 1),
        })
      return confirmIntent(context, reference, { payment_method: `pm_card_${card}` })
    })
  },

  pay: (play, { order }) =>
    inShop(play, (tx) => payOrder(tx, play.shop.store, orderOf(play, order).id, buyerOf(play, order))),
  cancel: (play, { order }) =>
    inShop(play, (tx) => cancelOrder(tx, orderOf(play, order).id, buyerOf(play, order))),
  markPaid: (play, { order }) =>
    inShop(play, (tx) => markPaidOutsideGateway(tx, orderOf(play, order).id, STAFF, null)),
  status: (play, { order, to, override }) =>
    inShop(play, (tx) =>
      updateOrder(
        tx,
        orderOf(play, order).id,
        { status: to, note: 'Decided', ...(to === 'shipped' || to === 'complete' ? { override } : {}) },
        { actor: STAFF, ifMatch: undefined, refunds: { refundRemainder, assertMayShip } },
      ),
    ),

  async refund(play, { order, parts, share, units, restock, override }) {
    const { id, refundableMinor } = await readOrder(play, order)
    return inShop(play, async (tx) => {
      if (parts === 'rest') return refundRemainder(tx, id, STAFF)
      const more = { restock, override, reason: 'Decided' }
      if (parts === 'amount')
        return requestRefund(tx, id, { amountMinor: shareOf(refundableMinor, share), ...more }, STAFF)
      const [line] = await findOrderItems(tx, id)
      const quantity = Math.min(units, line?.quantity ?? 1)
      return requestRefund(tx, id, { items: [{ orderItemId: line?.id ?? '', quantity }], ...more }, STAFF)
    })
  },

  async resolve(play, { order, decision }) {
    const { id } = orderOf(play, order)
    const payments = await inShop(play, async (tx) => listPayments(tx, id))
    const mismatched = payments.find(({ status }) => status === 'mismatched')
    if (mismatched)
      await inShop(play, (tx) =>
        resolveMismatch(tx, { orderId: id, paymentId: mismatched.id, decision }, STAFF),
      )
  },

  requestReturn: (play, { order, units, action }) =>
    inShop(play, async (tx) => {
      const { id } = orderOf(play, order)
      const [line] = await findOrderItems(tx, id)
      const quantity = Math.min(units, line?.quantity ?? 1)
      const item = {
        orderItemId: line?.id ?? '',
        quantity,
        reason: 'unwanted',
        condition: null,
        note: null,
      } as const
      return requestReturn(tx, id, { action, comment: null, items: [item] }, STAFF)
    }),
  progressReturn: (play, { order, disposition, restock }) =>
    inShop(play, async (tx) => {
      const returned = await Return.in(tx)
        .where('order_id', orderOf(play, order).id)
        .orderBy('id', 'desc')
        .first()
      if (!returned) return
      if (returned.status === 'requested') return approveReturn(tx, returned.id, null, STAFF)
      if (returned.status === 'approved') {
        const items = await ReturnItem.in(tx).where('return_id', returned.id)
        const arrivals = items.map(({ id }) => ({
          itemId: id,
          quantity: undefined,
          disposition,
          condition: undefined,
        }))
        return receiveReturn(tx, returned.id, arrivals, STAFF)
      }
      if (restock) return restockReturn(tx, returned.id, STAFF)
      if (returned.action === 'replacement') return replaceReturn(tx, returned.id, STAFF)
      return refundReturn(tx, returned.id, {}, STAFF)
    }),

  async refundInDashboard(play, { order, share }) {
    const charge = await chargeOf(play, order)
    if (!charge) return
    const units = Number(shareOf(BigInt(charge.amount_captured), share))
    const amount = String(play.shop.store.currency === 'KWD' ? Math.max(10, units - (units % 10)) : units)
    gateway.change((context) =>
      createRefund(context, { payment_intent: charge.payment_intent ?? '', amount }),
    )
  },
  async endRefund(play, { order, outcome }) {
    const charge = await chargeOf(play, order)
    const refunds = gateway.ledger().refunds.filter((refund) => refund.charge === charge?.id)
    const pending = refunds.find(({ status }) => status === 'pending')
    const succeeded = refunds.find(({ status }) => status === 'succeeded')
    if (pending) gateway.change((context) => settleRefund(context, pending.id, outcome))
    else if (succeeded && outcome === 'failed')
      gateway.change((context) => bounceRefund(context, succeeded.id))
  },
  async dispute(play, { order, share }) {
    const charge = await chargeOf(play, order)
    if (!charge || charge.disputed) return
    const amount = Number(shareOf(BigInt(charge.amount_captured), share))
    gateway.change((context) => openDispute(context, { payment_intent: charge.payment_intent ?? '', amount }))
  },
  async decide(play, { order, status }) {
    const charge = await chargeOf(play, order)
    const dispute = gateway.ledger().disputes.find((one) => one.charge === charge?.id)
    if (dispute) gateway.change((context) => changeDispute(context, dispute.id, status))
  },

  async deliver(play, { how }) {
    const events = eventsAfter(play)
    play.delivered += events.length
    if (how === 'never') return
    const sent = how === 'reversed' ? events.toReversed() : how === 'twice' ? [...events, ...events] : events
    for (const { id, type, data } of sent)
      await receiveEvent({ provider: 'stripe', id, type, object: { ...data.object } })
  },
  async passTime(_, { minutes }) {
    passTime(minutes * MINUTE_MS)
  },
  schedule: () => runSchedule(),
  async kill(_, { call, mode }) {
    gateway.faults.set({ on: call, mode, times: 1 })
  },
}

const STAFF = 'staff:1'

const buyerOf = (play: Play, order: number) => ({
  customerId: null,
  accessToken: orderOf(play, order).accessToken,
})

const shareOf = (amount: bigint, percent: number): bigint => {
  const part = (amount * BigInt(percent)) / 100n
  return part > 0n ? part : 1n
}

/** Vouchers have a smallest and a largest amount, which differ by currency. */
const GIFT_MINOR: Record<string, bigint> = { JPY: 1_000n, KWD: 5_000n, HUF: 4_000n }

const gift = (currency: string) => ({
  amountMinor: GIFT_MINOR[currency] ?? 1_000n,
  fromName: 'Ada',
  fromEmail: 'ada@example.test',
  toName: 'Grace',
  toEmail: 'grace@example.test',
})

const findBoughtCode = (play: Play): Promise<string> =>
  inShop(play, async (tx) => {
    const bought = await Voucher.in(tx).whereNotNull('order_item_id').orderBy('id', 'desc').first()
    return bought?.code ?? 'NONE'
  })

const eventsAfter = ({ delivered }: Play) =>
  gateway.change(({ books }) => books.all('events')).slice(delivered)

async function chargeOf(play: Play, position: number) {
  const payments = await inShop(play, async (tx) => listPayments(tx, orderOf(play, position).id))
  const references = payments.map(({ gatewayReference }) => gatewayReference)
  return gateway
    .ledger()
    .charges.findLast(({ payment_intent, captured }) => captured && references.includes(payment_intent))
}
