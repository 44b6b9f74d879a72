import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { toMajor } from '#shared/platform/money.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { sealCode } from '#shared/vouchers/codes/sealed-code.ts'
import { toVoucherError, VoucherErrors } from '#shared/vouchers/errors.ts'
import { emitIssued } from '#shared/vouchers/events.ts'
import type { Gift } from '#shared/vouchers/gift.ts'
import { findVoucher, lockVoucher, Voucher, type VoucherWithTheme } from '#shared/vouchers/voucher.ts'
import { indexVouchers } from '#shared/vouchers/voucher-words.ts'

/** The changes of staff; absent fields stay. The amount is in minor units. */
export type VoucherChanges = Partial<
  Gift &
    Pick<Voucher, 'orderId' | 'code' | 'amountMinor' | 'isActive' | 'expiresAt'> & {
      metadata: MetadataChange
    }
>

interface UpdateOptions {
  /** `staff:…` */
  actor: string
  /** Whether the caller has the right to refund, which issuing a voucher needs. */
  mayIssue: boolean
  ifMatch: string | undefined
}

/**
 * Updates a voucher. A new amount is an adjustment in its ledger, and at least the spent and reserved amount.
 * Activation emits `voucher.issued`. Throws `order.refund_forbidden` if `mayIssue` is false and the change adds value
 * or changes the order, `resource.not_found`, `resource.changed`, `voucher.code_taken`, `voucher.amount_below_spent`,
 * `voucher.awaits_payment` and `voucher.order_fixed`.
 */
export async function updateVoucher(
  tx: StoreTx,
  voucherId: string,
  { amountMinor, metadata, code, ...changes }: VoucherChanges,
  { actor, mayIssue, ifMatch }: UpdateOptions,
): Promise<VoucherWithTheme> {
  const voucher = await lockVoucher(tx, voucherId)
  assertUnchanged(voucher, ifMatch)
  const leavesOrder = changes.orderId !== undefined && changes.orderId !== voucher.orderId
  // A dispute of the order blocks the voucher. Staff could change the order before the bank opens the dispute.
  const needsRight = leavesOrder || addsValue(voucher, { amountMinor, ...changes })
  if (needsRight && !mayIssue) throw StaffErrors.refundForbidden()
  if (changes.isActive && voucher.awaitsPayment) throw VoucherErrors.awaitsPayment()
  if (leavesOrder && voucher.orderItemId) throw VoucherErrors.orderFixed()
  await Voucher.in(tx)
    .findById(voucherId)
    .patch({
      ...changes,
      ...(leavesOrder ? { isDisputed: false } : {}),
      metadata: mergeMetadata(voucher.metadata, metadata),
      ...(code === undefined ? {} : await sealCode(tx, voucherId, code)),
      updatedAt: nextUpdatedAt(voucher),
    })
    .catch((error) => {
      throw toVoucherError(error)
    })
  if (amountMinor !== undefined) await adjust(tx, voucher, amountMinor, actor)
  const whole = await findVoucher(tx, voucherId)
  await indexVouchers(tx, [whole.voucher])
  if (whole.voucher.isActive && !voucher.isActive) await emitIssued(tx, whole)
  return whole
}

/** Whether changes let a buyer spend more: a higher amount, an activation, or a later expiry. */
function addsValue(voucher: Voucher, { amountMinor, isActive, expiresAt }: AddedValue): boolean {
  const raises = amountMinor !== undefined && amountMinor > voucher.amountMinor
  const activates = isActive === true && !voucher.isActive
  const extendsLife = expiresAt !== undefined && endOf(expiresAt) > endOf(voucher.expiresAt)
  return raises || activates || extendsLife
}

const endOf = (expiresAt: Date | null): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY

type AddedValue = {
  [Field in 'amountMinor' | 'isActive' | 'expiresAt']?: VoucherChanges[Field] | undefined
}

async function adjust(tx: StoreTx, voucher: Voucher, targetMinor: bigint, actor: string): Promise<void> {
  const { id: voucherId, currency, reservedMinor, spentMinor } = voucher
  const amountMinor = targetMinor - voucher.amountMinor
  if (amountMinor === 0n) return
  const booked = await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor, actor })
  if (booked === undefined)
    throw VoucherErrors.amountBelowSpent({ minimum: toMajor(reservedMinor + spentMinor, currency) })
}
