import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { Money, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { findVoucher } from './find-voucher.ts'
import { VoucherView, viewVoucher } from './view.ts'
import type { VoucherRedemption } from './voucher-redemption.ts'

/** The voucher as it is then, and what an order has, or had, of it. */
const RedeemedVoucherView = Shape({
  ...VoucherView.properties,
  redemption: Shape({ order_id: Uuid, amount: Money }),
})

export const voucherIssued = defineEvent(
  'voucher.issued',
  'A gift voucher was issued by hand, or bought and paid',
  VoucherView,
)
export const voucherRedeemed = defineEvent(
  'voucher.redeemed',
  'An order was paid with a gift voucher, wholly or in part',
  RedeemedVoucherView,
)
export const voucherReleased = defineEvent(
  'voucher.released',
  'A gift voucher has back what was reserved for an order that was not paid',
  RedeemedVoucherView,
)

/** Tells of a redemption with its voucher as it is now. */
export async function emitRedemption(
  tx: StoreTx,
  kind: EventKind,
  { voucherId, orderId, amountMinor }: VoucherRedemption,
): Promise<void> {
  const whole = await findVoucher(tx, voucherId)
  const redemption = { order_id: orderId, amount: toMajor(amountMinor, whole.voucher.currency) }
  await emit(tx, kind, { ...viewVoucher(whole), redemption })
}
