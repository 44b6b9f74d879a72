import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Customer } from './customer.ts'

/** What a customer bought so far. Minor units of the store's currency. */
export interface CustomerFigures {
  ordersCount: number
  totalSpentMinor: bigint
  lastOrderAt: Date | null
}

/**
 * Writes the figures of a customer. `read` runs with the customer's row locked: of two orders that change at once, the
 * second is read after the first is committed.
 */
export async function writeFigures(
  tx: StoreTx,
  customerId: string,
  read: () => Promise<CustomerFigures>,
): Promise<void> {
  await Customer.in(tx).findById(customerId).forNoKeyUpdate().select('id')
  await Customer.in(tx)
    .findById(customerId)
    .patch(await read())
}
