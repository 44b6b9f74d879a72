import { CouponErrors } from '#shared/coupons/errors.ts'
import { StockErrors } from '#shared/orders/errors.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { reserveResources } from '#shared/orders/stock/resources.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CodedError } from '#shared/platform/errors.ts'
import { RecurringPlanErrors } from '#shared/recurring-plans/errors.ts'
import { readStore } from '#shared/stores/store.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'

/** The errors of `reserveResources`. Any other error is a bug. */
const REASONS: ReadonlyMap<string, string> = new Map([
  [StockErrors.insufficientStock.kind.code, 'the stock was sold'],
  [CouponErrors.usageExceeded.kind.code, 'the coupon was used up'],
  [RecurringPlanErrors.trialUsed.kind.code, 'the trial was used by another order'],
  [VoucherErrors.inactive.kind.code, 'the voucher was deactivated'],
  [VoucherErrors.expired.kind.code, 'the voucher expired'],
  [VoucherErrors.empty.kind.code, 'the voucher was spent elsewhere'],
  [VoucherErrors.insufficientBalance.kind.code, 'the voucher was spent elsewhere'],
])

/**
 * Reserves stock, voucher, coupon and trials of an order. Returns null, or the reason why the order cannot be
 * fulfilled: one of them is not available, or the store is deleted.
 */
export async function reserveForPaidOrder(tx: StoreTx, order: LockedOrder): Promise<string | null> {
  // A payment that was open when the store was deleted can still be captured.
  if ((await readStore(tx)).status === 'deleted') return 'the store was deleted'
  try {
    await reserveResources(tx, order, 'processing')
    return null
  } catch (error) {
    const reason = error instanceof CodedError ? REASONS.get(error.code) : undefined
    if (reason === undefined) throw error
    return reason
  }
}
