import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { COMMISSION_INVARIANTS } from './commission-invariants.ts'
import { CUSTOMER_INVARIANTS } from './customer-invariants.ts'
import type { Discrepancy, Invariant } from './invariant.ts'
import { ORDER_INVARIANTS } from './order-invariants.ts'
import { REFUND_INVARIANTS } from './refund-invariants.ts'
import { REPORT_INVARIANTS } from './report-invariants.ts'
import { STOCK_INVARIANTS } from './stock-invariants.ts'
import { SUBSCRIPTION_INVARIANTS } from './subscription-invariants.ts'
import { VOUCHER_INVARIANTS } from './voucher-invariants.ts'

/** All rules about the books of a store. */
export const INVARIANTS: readonly Invariant[] = [
  ...ORDER_INVARIANTS,
  ...REFUND_INVARIANTS,
  ...VOUCHER_INVARIANTS,
  ...STOCK_INVARIANTS,
  ...CUSTOMER_INVARIANTS,
  ...SUBSCRIPTION_INVARIANTS,
  ...COMMISSION_INVARIANTS,
  ...REPORT_INVARIANTS,
]

/**
 * Compares the books of a store: orders, payments, surpluses, refunds, disputes, vouchers, stock, coupons, customers,
 * subscriptions, commissions and the stored sums of reports. It runs one query for each invariant, which reads all rows
 * of the store. The result is empty if every invariant holds. Amounts are in minor units.
 */
export async function findDiscrepancies(tx: StoreTx): Promise<Discrepancy[]> {
  const found: Discrepancy[] = []
  for (const { name, sql } of INVARIANTS) {
    const { rows } = await tx.knex.raw<{ rows: Omit<Discrepancy, 'invariant'>[] }>(
      `select subject, expected, found from (${sql}) as differing`,
    )
    found.push(...rows.map((row) => ({ invariant: name, ...row })))
  }
  return found
}
