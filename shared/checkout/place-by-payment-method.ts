import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import { setCapturedAmount } from '#shared/orders/amounts/set-captured-amount.ts'
import { orderPaid } from '#shared/orders/events.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { PAY_BY_VOUCHER } from '#shared/orders/order-payment-methods.ts'
import {
  type NewOrder,
  type OrderDetails,
  type PlacedOrder,
  placeOrder,
} from '#shared/orders/place/place-order.ts'
import { startCardSetup } from '#shared/payments/card-setups/start-card-setup.ts'
import { startPayment } from '#shared/payments/open/start-payment.ts'
import { paymentWindow, transferHoldUntil } from '#shared/payments/payment-window.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import type { Store } from '#shared/stores/store.ts'
import { captureVoucher } from '#shared/vouchers/redemptions/end-reservation.ts'
import { reserveVoucher } from '#shared/vouchers/redemptions/reserve-voucher.ts'
import type { ChosenVoucher } from './choose-voucher.ts'
import { insertBoughtVouchers, withOrderLine } from './insert-bought-vouchers.ts'

export interface CheckedOut extends PlacedOrder {
  /** The payment or card setup that the buyer's page waits for; null without one. */
  paymentOrSetupId: string | null
}

/** A draft of an order, with the voucher that pays a part of it. */
export interface PayableDraft extends Pick<NewOrder, 'lines'> {
  details: Omit<OrderDetails, 'expiresAt' | 'holdUntil'>
  voucher: ChosenVoucher | null
  /** The gateway's id of the saved card to charge without the buyer. Undefined if the buyer pays. */
  savedCard?: string
  /** Gift vouchers to buy. Their lines follow those of the goods. */
  giftVouchers: readonly VoucherLine[]
}

/**
 * Places an order by its payment method: it is paid immediately, waits for a card payment, or is paid later by other
 * means. A free order is ready to ship, unless it starts a subscription that needs a card.
 */
export function placeByPaymentMethod(tx: StoreTx, store: Store, draft: PayableDraft): Promise<CheckedOut> {
  const { paymentMethod, totalMinor, voucherMinor } = draft.details
  const dueMinor = totalMinor - voucherMinor
  if (paymentMethod === PAY_BY_VOUCHER && totalMinor > 0n) return placePaid(tx, draft)
  if (dueMinor === 0n)
    return paymentMethod === 'card' && startsSubscription(draft)
      ? placeForSetup(tx, store, draft)
      : placeToShip(tx, draft)
  switch (paymentMethod) {
    case 'card':
      return placeForCard(tx, store, draft)
    case 'bank_transfer':
      return placeForTransfer(tx, store, draft)
    case 'sandbox':
      return placeInSandbox(tx, draft)
    default:
      return placeToShip(tx, draft)
  }
}

/** Places an order by card. The buyer confirms the payment, unless a saved card is charged. */
async function placeForCard(tx: StoreTx, store: Store, draft: PayableDraft): Promise<CheckedOut> {
  const placed = await placeWithVouchers(tx, draft, 'pending', paymentWindow(store))
  const { savedCard: reference } = draft
  const payment = await startPayment(tx, placed.order, reference ? { use: 'saved', reference } : undefined)
  return { ...placed, paymentOrSetupId: payment.id }
}

const startsSubscription = ({ details, savedCard }: PayableDraft): boolean =>
  Boolean(details.subscriptionId) && savedCard === undefined

/** Places a free order that starts a subscription. It waits for the card that pays later charges. */
async function placeForSetup(tx: StoreTx, store: Store, draft: PayableDraft): Promise<CheckedOut> {
  const { customerId } = draft.details
  if (!customerId) throw new Error('A subscription needs a customer')
  const placed = await placeWithVouchers(tx, draft, 'pending', paymentWindow(store))
  const { id: orderId, expiresAt } = placed.order
  const setup = await startCardSetup(tx, { customerId, orderId, ...(expiresAt ? { expiresAt } : {}) })
  return { ...placed, paymentOrSetupId: setup.id }
}

/**
 * Places an order by bank transfer. It does not expire: after its hold it can be paid as long as its resources are
 * available.
 */
async function placeForTransfer(tx: StoreTx, store: Store, draft: PayableDraft): Promise<CheckedOut> {
  const placed = await placeWithVouchers(tx, draft, 'pending', {
    holdUntil: transferHoldUntil(store),
    expiresAt: null,
  })
  return { ...placed, paymentOrSetupId: null }
}

/** Places a free order, or one that is paid on delivery. It may ship immediately. */
async function placeToShip(tx: StoreTx, draft: PayableDraft): Promise<CheckedOut> {
  return { ...(await placeWithVouchers(tx, draft, 'processing')), paymentOrSetupId: null }
}

/** Places an order that a voucher pays in full, immediately and without a gateway. */
async function placePaid(tx: StoreTx, draft: PayableDraft): Promise<CheckedOut> {
  const placed = await placeWithVouchers(tx, draft, 'processing')
  const amountCapturedMinor = await captureVoucher(tx, placed.order)
  const captured = { amountCapturedMinor, paidAt: now() }
  const order = await setCapturedAmount(tx, placed.order, captured, [orderPaid])
  return { ...placed, order, view: await loadOrderView(tx, order.id), paymentOrSetupId: null }
}

/** Places an order that play money pays, immediately and without a gateway. */
async function placeInSandbox(tx: StoreTx, draft: PayableDraft): Promise<CheckedOut> {
  const placed = await placeWithVouchers(tx, draft, 'pending')
  const payment = await markOrderPaid(tx, placed.order.id, 'system', { provider: 'sandbox' })
  const order = await lockOrder(tx, placed.order.id)
  return { ...placed, order, view: await loadOrderView(tx, order.id), paymentOrSetupId: payment.id }
}

type TimeLimits = Pick<Order, 'holdUntil' | 'expiresAt'>
const NO_LIMITS: TimeLimits = { holdUntil: null, expiresAt: null }

/** Inserts an order, the gift vouchers that it buys, and its reservation of the voucher that pays. */
async function placeWithVouchers(
  tx: StoreTx,
  { details, lines, voucher, giftVouchers }: PayableDraft,
  status: NewOrder['status'],
  limits: TimeLimits = NO_LIMITS,
): Promise<PlacedOrder> {
  const ordered = giftVouchers.map((giftVoucher) => withOrderLine(giftVoucher, details.language))
  const placed = await placeOrder(tx, {
    status,
    details: { ...details, ...limits },
    lines: [...lines, ...ordered.map(({ line }) => line)],
  })
  await insertBoughtVouchers(tx, placed.order, ordered)
  if (voucher) await reserveVoucher(tx, { ...voucher, orderId: placed.order.id })
  return placed
}
