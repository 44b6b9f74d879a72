import { lockCustomer } from '#shared/customers/customer.ts'
import { type CustomerFigures, writeFigures } from '#shared/customers/figures.ts'
import { FULFILLING_ORDER_STATUSES } from '#shared/orders/states.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toSqlList } from '#shared/platform/states.ts'

/**
 * SQL: whether an order counts as a sale: it was paid, or it reached the status processing. A later refund changes
 * nothing.
 */
export const COUNTS_AS_SALE = `(paid_at is not null or status in ${toSqlList(FULFILLING_ORDER_STATUSES)})`

// An order counts by its captured amount, because staff may have accepted a payment below the total.
const READ_FIGURES: Statement = {
  name: 'read_customer_figures',
  text: `
    select count(*)::int as "ordersCount",
      coalesce(sum(case when amount_captured_minor > 0 then amount_captured_minor else total_minor end
        - amount_refunded_minor), 0)::bigint as "totalSpentMinor",
      max(created_at) as "lastOrderAt"
    from orders
    where store_id = $1 and customer_id = $2 and ${COUNTS_AS_SALE}`,
}

/**
 * Recounts the customer's figures right before the commit, once per transaction. Call it where an order's status or
 * amounts change. A recount is correct after any sequence of changes; adding differences would count some twice.
 */
export function recountCustomer(tx: StoreTx, customerId: string | null): void {
  if (!customerId) return
  tx.beforeCommit(`figures ${customerId}`, () =>
    writeFigures(tx, customerId, async () => {
      const [figures] = await tx.prepared<CustomerFigures>(READ_FIGURES, [tx.storeId, customerId])
      return figures as CustomerFigures
    }),
  )
}

/**
 * Locks the customer of an order. Call it before you lock stock in the middle of a transaction: a checkout locks the
 * customer first and the stock second, so a transaction in the other sequence would deadlock with it.
 */
export async function lockBuyerBeforeStock(
  tx: StoreTx,
  { customerId }: { customerId: string | null },
): Promise<void> {
  if (customerId) await lockCustomer(tx, customerId)
}
