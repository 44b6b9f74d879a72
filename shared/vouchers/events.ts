import { type Static, Type } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { Money, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { codeEnd } from '#shared/vouchers/codes/code.ts'
import { VoucherView, viewVoucher } from './view.ts'
import { findVoucher, type VoucherWithTheme } from './voucher.ts'
import type { VoucherRedemption } from './voucher-redemption.ts'

const { code: _, ...withoutCode } = VoucherView.properties

/** The current voucher without its code. The code is enough to spend it, and other systems and logs get events. */
const VoucherEventView = Shape({
  ...withoutCode,
  code_last4: Type.String({
    description: 'The last four letters of the code; empty for one of less than eight',
  }),
})

/** The voucher without its code, and the part that an order reserved, captured or released. */
const RedeemedVoucherView = Shape({
  ...VoucherEventView.properties,
  redemption: Shape({ order_id: Uuid, amount: Money }),
})

const voucherIssued = defineEvent(
  'voucher.issued',
  'sales',
  'A gift voucher was issued by staff, or bought and paid',
  VoucherEventView,
)
export const voucherRedeemed = defineEvent(
  'voucher.redeemed',
  'sales',
  'An order was paid with a gift voucher in full or in part',
  RedeemedVoucherView,
)
export const voucherReleased = defineEvent(
  'voucher.released',
  'sales',
  'The reservation of an unpaid order was released to its gift voucher',
  RedeemedVoucherView,
)

const viewForEvent = (whole: VoucherWithTheme): Static<typeof VoucherEventView> => {
  const { code, ...view } = viewVoucher(whole)
  return { ...view, code_last4: codeEnd(code) }
}

/** Emits `voucher.issued`, once a voucher can be spent. */
export const emitIssued = (tx: StoreTx, whole: VoucherWithTheme): Promise<string> =>
  emit(tx, voucherIssued, viewForEvent(whole))

/** Emits an event of a redemption with the current voucher. */
export async function emitRedemption(
  tx: StoreTx,
  kind: EventKind<typeof RedeemedVoucherView>,
  { voucherId, orderId, amountMinor }: VoucherRedemption,
): Promise<void> {
  const whole = await findVoucher(tx, voucherId)
  const redemption = { order_id: orderId, amount: toMajor(amountMinor, whole.voucher.currency) }
  await emit(tx, kind, { ...viewForEvent(whole), redemption })
}
