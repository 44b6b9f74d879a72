import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { Money, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { VoucherView, viewVoucher } from './view.ts'
import { findVoucher } from './voucher.ts'
import type { VoucherRedemption } from './voucher-redemption.ts'

/** The current voucher, and the part that an order reserved, captured or released. */
const RedeemedVoucherView = Shape({
  ...VoucherView.properties,
  redemption: Shape({ order_id: Uuid, amount: Money }),
})

export const voucherIssued = defineEvent(
  'voucher.issued',
  'A gift voucher was issued by staff, or bought and paid',
  VoucherView,
)
export const voucherRedeemed = defineEvent(
  'voucher.redeemed',
  'An order was paid with a gift voucher in full or in part',
  RedeemedVoucherView,
)
export const voucherReleased = defineEvent(
  'voucher.released',
  'The reservation of an unpaid order was released to its gift voucher',
  RedeemedVoucherView,
)

/** Emits an event of a redemption with the current voucher. */
export async function emitRedemption(
  tx: StoreTx,
  kind: EventKind,
  { voucherId, orderId, amountMinor }: VoucherRedemption,
): Promise<void> {
  const whole = await findVoucher(tx, voucherId)
  const redemption = { order_id: orderId, amount: toMajor(amountMinor, whole.voucher.currency) }
  await emit(tx, kind, { ...viewVoucher(whole), redemption })
}
