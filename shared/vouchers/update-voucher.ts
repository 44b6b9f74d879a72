import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { assertUnchanged, nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { toMajor } from '#shared/platform/money.ts'
import { bookEntry } from './book-entry.ts'
import { codeKey } from './code.ts'
import { VoucherErrors } from './errors.ts'
import { voucherIssued } from './events.ts'
import { findVoucher } from './find-voucher.ts'
import type { Gift } from './gift.ts'
import { lockVoucher } from './lock-voucher.ts'
import { refusalOf } from './refusal-of.ts'
import { viewVoucher, type WholeVoucher } from './view.ts'
import { Voucher } from './voucher.ts'

/** What staff change of a voucher (interface document, section 4); what is left out stays. Amount in minor units. */
export type VoucherChanges = Partial<
  Gift & Pick<Voucher, 'orderId' | 'code' | 'amountMinor' | 'isActive' | 'expiresAt'>
>

/**
 * Changes a voucher. Another amount is an adjustment in its ledger, and never less than orders have of it; one that is
 * switched on can be spent from now on, which `voucher.issued` tells. Throws 404
 * `resource.not_found`, 412 `resource.changed`, 409 `voucher.code_taken`, `voucher.amount_below_spent`,
 * `voucher.awaits_payment` and `voucher.order_fixed`.
 */
export async function updateVoucher(
  tx: StoreTx,
  voucherId: string,
  { amountMinor, ...changes }: VoucherChanges,
  { actor, ifMatch }: { actor: string; ifMatch: string | undefined },
): Promise<WholeVoucher> {
  const voucher = await lockVoucher(tx, voucherId)
  assertUnchanged(voucher, ifMatch)
  if (changes.isActive && voucher.awaitsPayment) throw VoucherErrors.awaitsPayment()
  const leavesOrder = changes.orderId !== undefined && changes.orderId !== voucher.orderId
  if (leavesOrder && voucher.orderItemId) throw VoucherErrors.orderFixed()
  await Voucher.in(tx)
    .findById(voucherId)
    .patch({
      ...changes,
      ...(changes.code === undefined ? {} : { codeKey: codeKey(changes.code) }),
      updatedAt: nextUpdatedAt(voucher),
    })
    .catch((error) => {
      throw refusalOf(error)
    })
  if (amountMinor !== undefined) await adjust(tx, voucher, amountMinor, actor)
  const whole = await findVoucher(tx, voucherId)
  if (whole.voucher.isActive && !voucher.isActive) await emit(tx, voucherIssued, viewVoucher(whole))
  return whole
}

async function adjust(tx: StoreTx, voucher: Voucher, askedMinor: bigint, actor: string): Promise<void> {
  const { id: voucherId, currency, reservedMinor, spentMinor } = voucher
  const amountMinor = askedMinor - voucher.amountMinor
  if (amountMinor === 0n) return
  const booked = await bookEntry(tx, { voucherId, kind: 'adjust', amountMinor, actor })
  if (booked === undefined)
    throw VoucherErrors.amountBelowSpent({ least: toMajor(reservedMinor + spentMinor, currency) })
}
