import { assertUnchanged, changedAt } from '../platform/entity-tag.ts'
import { emit } from '../platform/events.ts'
import { toMajor, toMinor } from '../platform/money.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { bookEntry } from './book-entry.ts'
import { codeKey } from './code.ts'
import { VoucherErrors } from './errors.ts'
import { voucherIssued } from './events.ts'
import { findVoucher } from './find-voucher.ts'
import { lockVoucher } from './lock-voucher.ts'
import { refusalOf } from './refusal-of.ts'
import { viewVoucher, type WholeVoucher } from './view.ts'
import { Voucher } from './voucher.ts'

/** What staff change of a voucher (interface document, section 4); what is left out stays. */
export interface VoucherChanges {
  order_id?: string | null
  code?: string
  from_name?: string
  from_email?: string
  to_name?: string
  to_email?: string
  voucher_theme_id?: string | null
  message?: string
  /** Major units of the voucher's currency. */
  amount?: number
  is_active?: boolean
  expires_at?: string | null
}

/**
 * Changes a voucher. Another amount is an adjustment in its ledger, and never less than orders have of it; one that is
 * switched on can be spent from now on, which `voucher.issued` tells. Throws 404
 * `resource.not_found`, 412 `resource.changed`, 409 `voucher.code_taken`, `voucher.amount_below_spent`,
 * `voucher.awaits_payment` and `voucher.order_fixed`.
 */
export async function updateVoucher(
  tx: StoreTx,
  voucherId: string,
  { amount, ...changes }: VoucherChanges,
  { actor, ifMatch }: { actor: string; ifMatch: string | undefined },
): Promise<WholeVoucher> {
  const voucher = await lockVoucher(tx, voucherId)
  assertUnchanged(voucher, ifMatch)
  if (changes.is_active && voucher.awaitsPayment) throw VoucherErrors.awaitsPayment()
  const leavesOrder = changes.order_id !== undefined && changes.order_id !== voucher.orderId
  if (leavesOrder && voucher.orderItemId) throw VoucherErrors.orderFixed()
  await Voucher.in(tx)
    .findById(voucherId)
    .patch({ ...toColumns(changes), updatedAt: changedAt(voucher) })
    .catch((error) => {
      throw refusalOf(error)
    })
  if (amount !== undefined) await adjust(tx, voucher, amount, actor)
  const whole = await findVoucher(tx, voucherId)
  if (whole.voucher.isActive && !voucher.isActive) await emit(tx, voucherIssued, viewVoucher(whole))
  return whole
}

function toColumns({ expires_at, ...changes }: Omit<VoucherChanges, 'amount'>) {
  const { code } = changes
  return {
    orderId: changes.order_id,
    code,
    codeKey: code && codeKey(code),
    fromName: changes.from_name,
    fromEmail: changes.from_email,
    toName: changes.to_name,
    toEmail: changes.to_email,
    voucherThemeId: changes.voucher_theme_id,
    message: changes.message,
    isActive: changes.is_active,
    expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : expires_at,
  }
}

async function adjust(tx: StoreTx, voucher: Voucher, amount: number, actor: string): Promise<void> {
  const { id: voucherId, currency, reservedMinor, spentMinor } = voucher
  const amountMinor = toMinor(amount, currency, ['body', 'amount']) - voucher.amountMinor
  if (amountMinor === 0n) return
  const booked = await bookEntry(tx, { voucherId, kind: 'adjust', amountMinor, actor })
  if (booked === undefined)
    throw VoucherErrors.amountBelowSpent({ least: toMajor(reservedMinor + spentMinor, currency) })
}
