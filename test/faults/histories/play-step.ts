import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { addCartVoucher } from '#shared/cart/items/add-cart-voucher.ts'
import { checkOut } from '#shared/checkout/check-out.ts'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'
import { mailNewAddress } from '#shared/order-mails/mail-new-address.ts'
import { cancelOrder } from '#shared/orders/lifecycle/cancel-order.ts'
import { findOrder } from '#shared/orders/order.ts'
import { updateOrder } from '#shared/orders/update/update-order.ts'
import { payOrder } from '#shared/payments/open/pay-order.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import { markSurplusReturned } from '#shared/refunds/request/mark-surplus-returned.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { resolveMismatch } from '#shared/settlement/resolve-mismatch.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { GatewayError } from '#test/sandbox/gateway/errors.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import type { Step } from './draw-history.ts'
import { inShop, orderOf, type Play, type Plays, STAFF, shareOf, unitsOf } from './play.ts'
import { PLAY_GATEWAY } from './play-gateway.ts'
import { PLAY_GOODS } from './play-goods.ts'
import { passTime, runJobs, runSchedule } from './shop.ts'

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

const readOrder = (play: Play, position: number) =>
  inShop(play, async (tx) => findOrder(tx, orderOf(play, position).id))

const PLAY: Plays<Step['kind']> = {
  ...PLAY_GATEWAY,
  ...PLAY_GOODS,

  async checkout(play, { lines, method, voucher, coupon, buysVoucher }) {
    const { store, variantIds, shippingId, couponCode, voucherCode } = play.shop
    const code = voucher === 'bought' ? await findBoughtCode(play) : voucherCode
    const placed = await inShop(play, async (tx) => {
      let holder: { customerId: null; cartToken: string | null } = { customerId: null, cartToken: null }
      for (const { variant, quantity } of lines) {
        const { token } = await addCartItem(tx, holder, { variantId: variantIds[variant] ?? '', quantity })
        holder = { customerId: null, cartToken: holder.cartToken ?? token ?? null }
      }
      if (buysVoucher) await addCartVoucher(tx, store.currency, holder, gift(store.currency))
      return checkOut(
        tx,
        {
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
        },
        startSubscriptions,
      )
    })
    play.orders.push({ id: placed.order.id, accessToken: placed.accessToken })
  },
  pay: (play, { order }) =>
    inShop(play, (tx) =>
      payOrder(tx, play.shop.store, orderOf(play, order).id, {
        buyer: buyerOf(play, order),
        network: '203.0.113.0',
      }),
    ),
  cancel: (play, { order }) =>
    inShop(play, (tx) => cancelOrder(tx, orderOf(play, order).id, buyerOf(play, order))),
  markPaid: (play, { order }) => inShop(play, (tx) => markOrderPaid(tx, orderOf(play, order).id, STAFF)),
  status: (play, { order, to, override, restock }) =>
    inShop(play, (tx) =>
      updateOrder(
        tx,
        orderOf(play, order).id,
        {
          status: to,
          note: 'Decided',
          ...(to === 'shipped' || to === 'complete' ? { override } : {}),
          ...(to === 'canceled' ? { restock } : {}),
        },
        {
          staff: { name: STAFF, rights: RIGHTS },
          ifMatch: undefined,
          refunds: { refundRemainder },
          shipping: { assertMayShip },
          mails: { mailNewAddress },
        },
      ),
    ),
  async refund(play, { order, parts, share, line, units, restock, override, outside }) {
    const { id, refundableMinor, shippingTotalMinor } = await readOrder(play, order)
    return inShop(play, async (tx) => {
      if (parts === 'rest') return refundRemainder(tx, id, STAFF)
      const means = outside ? 'outside_gateway' : 'gateway'
      const more = { override, reason: 'Decided', means } as const
      if (parts === 'amount')
        return requestRefund(
          tx,
          id,
          { amountMinor: shareOf(refundableMinor, share), ...more },
          requester(STAFF),
        )
      if (parts === 'shipping')
        return requestRefund(
          tx,
          id,
          { shippingAmountMinor: shareOf(shippingTotalMinor, share), ...more },
          requester(STAFF),
        )
      const items = [await unitsOf(tx, id, { line, units })]
      return requestRefund(tx, id, { items, restock, ...more }, requester(STAFF))
    })
  },
  markSurplusReturned: (play, { order }) =>
    inShop(play, async (tx) => {
      const { id: orderId } = orderOf(play, order)
      const owed = (await listSurpluses(tx, orderId)).find(({ status }) => status === 'owed')
      if (owed)
        await markSurplusReturned(
          tx,
          { orderId, surplusId: owed.id, reason: 'Paid in cash' },
          { actor: STAFF, disputes: { assertNoOpenDispute } },
        )
    }),
  async resolve(play, { order, decision }) {
    const { id } = orderOf(play, order)
    const payments = await inShop(play, async (tx) => listPayments(tx, id))
    const mismatched = payments.find(({ status }) => status === 'mismatched')
    if (mismatched)
      await inShop(play, (tx) =>
        resolveMismatch(tx, { orderId: id, paymentId: mismatched.id, decision }, STAFF),
      )
  },
  async passTime(_, { minutes }) {
    passTime(minutes * MINUTE_MS)
  },
  schedule: () => runSchedule(),
}

const buyerOf = (play: Play, order: number) => ({
  customerId: null,
  accessToken: orderOf(play, order).accessToken,
})

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
