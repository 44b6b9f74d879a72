import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { toMajor } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { sealCode } from '#shared/vouchers/codes/sealed-code.ts'
import { bookVoucherEntry } from './book-entry.ts'
import { toVoucherError, VoucherErrors } from './errors.ts'
import { emitIssued } from './events.ts'
import type { Gift } from './gift.ts'
import { findVoucher, lockVoucher, Voucher, type VoucherWithTheme } from './voucher.ts'

/** The fields that staff may change. Absent fields stay. Amount in minor units. */
export type VoucherChanges = Partial<
  Gift &
    Pick<Voucher, 'orderId' | 'code' | 'amountMinor' | 'isActive' | 'expiresAt'> & {
      metadata: MetadataChange
    }
>

interface UpdateOptions {
  /** `staff:…` */
  actor: string
  /** Whether the caller may give a voucher value: has the right to refund. */
  mayIssue: boolean
  ifMatch: string | undefined
}

/**
 * Updates a voucher. A new amount is an adjustment in its ledger, and not below what orders have spent and reserved.
 * Activation emits `voucher.issued`. Throws 403 `order.refund_forbidden` for more value without the right to it, 404
 * `resource.not_found`, 412 `resource.changed`, 409 `voucher.code_taken`, `voucher.amount_below_spent`,
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
  if (!mayIssue && addsValue(voucher, { amountMinor, ...changes }))
    throw StaffErrors.refundForbidden({ right: 'refund' })
  if (changes.isActive && voucher.awaitsPayment) throw VoucherErrors.awaitsPayment()
  const leavesOrder = changes.orderId !== undefined && changes.orderId !== voucher.orderId
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
  if (whole.voucher.isActive && !voucher.isActive) await emitIssued(tx, whole)
  return whole
}

/** Whether changes let a buyer spend more: a higher amount, activation, or a life after expiry. */
function addsValue(voucher: Voucher, { amountMinor, isActive, expiresAt }: AddedValue): boolean {
  const raises = amountMinor !== undefined && amountMinor > voucher.amountMinor
  const activates = isActive === true && !voucher.isActive
  const hasExpired = voucher.expiresAt !== null && voucher.expiresAt <= now()
  const revives = hasExpired && (expiresAt === null || (expiresAt !== undefined && expiresAt > now()))
  return raises || activates || revives
}

type AddedValue = { [Field in 'amountMinor' | 'isActive' | 'expiresAt']?: VoucherChanges[Field] | undefined }

async function adjust(tx: StoreTx, voucher: Voucher, targetMinor: bigint, actor: string): Promise<void> {
  const { id: voucherId, currency, reservedMinor, spentMinor } = voucher
  const amountMinor = targetMinor - voucher.amountMinor
  if (amountMinor === 0n) return
  const booked = await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor, actor })
  if (booked === undefined)
    throw VoucherErrors.amountBelowSpent({ minimum: toMajor(reservedMinor + spentMinor, currency) })
}
