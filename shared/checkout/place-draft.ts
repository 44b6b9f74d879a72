import { type OrderDraft, type OrderFacts, type PlacedOrder, placeOrder } from '../orders/place-order.ts'
import { loadOrderView } from '../orders/view.ts'
import { markPaid } from '../payments/mark-paid.ts'
import { payByVoucher } from '../payments/pay-by-voucher.ts'
import { paymentWindow, scheduleExpiry, scheduleRelease } from '../payments/schedule-expiry.ts'
import { startPayment } from '../payments/start-payment.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { Store } from '../stores/store.ts'
import { reserveVoucher } from '../vouchers/reserve-voucher.ts'
import { BY_VOUCHER, type ChosenVoucher } from './choose-voucher.ts'

export interface CheckedOut extends PlacedOrder {
  /** Null where no gateway is asked: paid by other means, or free. */
  paymentId: string | null
}

/** An order to be, with the voucher that pays a part of it. */
export interface PayableDraft extends Pick<OrderDraft, 'lines'> {
  facts: Omit<OrderFacts, 'expiresAt'>
  voucher: ChosenVoucher | null
}

/** Writes an order as its way to pay wants it: paid at once, begun to be paid by card, or paid by other means later. */
export function placeDraft(tx: StoreTx, store: Store, draft: PayableDraft): Promise<CheckedOut> {
  const { paymentMethod, totalMinor, voucherMinor } = draft.facts
  const dueMinor = totalMinor - voucherMinor
  if (paymentMethod === BY_VOUCHER && totalMinor > 0n) return placePaid(tx, draft)
  if (paymentMethod === 'sandbox' && dueMinor > 0n) return placeInSandbox(tx, draft)
  if (paymentMethod === 'card' && dueMinor > 0n) return placeOnline(tx, store, draft)
  return placeOffline(tx, draft)
}

async function placeOnline(
  tx: StoreTx,
  store: Store,
  { facts, lines, voucher }: PayableDraft,
): Promise<CheckedOut> {
  const window = paymentWindow(store)
  const { holdUntil, expiresAt } = window
  const placed = await placeOrder(tx, { status: 'pending', facts: { ...facts, expiresAt }, lines, holdUntil })
  await reserve(tx, placed, voucher, holdUntil)
  const payment = await startPayment(tx, placed.order)
  await scheduleRelease(tx, placed.order.id, window)
  await scheduleExpiry(tx, placed.order.id, window)
  return { ...placed, paymentId: payment.id }
}

/** A bank transfer is awaited without a time limit; what is paid on delivery, or costs nothing, may leave at once. */
async function placeOffline(tx: StoreTx, { facts, lines, voucher }: PayableDraft): Promise<CheckedOut> {
  const awaitsMoney = facts.paymentMethod === 'bank_transfer' && facts.totalMinor > 0n
  const status = awaitsMoney ? 'pending' : 'processing'
  const draft = { status, facts: { ...facts, expiresAt: null }, lines, holdUntil: null } as const
  const placed = await placeOrder(tx, draft)
  await reserve(tx, placed, voucher, null)
  return { ...placed, paymentId: null }
}

async function placePaid(tx: StoreTx, { facts, lines, voucher }: PayableDraft): Promise<CheckedOut> {
  const draft = {
    status: 'processing',
    facts: { ...facts, expiresAt: null },
    lines,
    holdUntil: null,
  } as const
  const placed = await placeOrder(tx, draft)
  await reserve(tx, placed, voucher, null)
  await payByVoucher(tx, placed.order)
  return { ...placed, view: await loadOrderView(tx, placed.order.id), paymentId: null }
}

/** Play money comes at once, and no gateway is asked for it. */
async function placeInSandbox(tx: StoreTx, { facts, lines, voucher }: PayableDraft): Promise<CheckedOut> {
  const draft = { status: 'pending', facts: { ...facts, expiresAt: null }, lines, holdUntil: null } as const
  const placed = await placeOrder(tx, draft)
  await reserve(tx, placed, voucher, null)
  const payment = await markPaid(tx, placed.order.id, 'system', { provider: 'sandbox' })
  return { ...placed, view: await loadOrderView(tx, placed.order.id), paymentId: payment.id }
}

/** After the order is written, which the reservation refers to. */
async function reserve(
  tx: StoreTx,
  { order }: PlacedOrder,
  voucher: ChosenVoucher | null,
  expiresAt: Date | null,
): Promise<void> {
  if (voucher) await reserveVoucher(tx, { ...voucher, orderId: order.id, expiresAt })
}
