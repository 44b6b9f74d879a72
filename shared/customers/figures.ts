import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Customer } from './customer.ts'

/** A customer's purchases so far, in minor units of the store's currency. */
export interface CustomerFigures {
  ordersCount: number
  totalSpentMinor: bigint
  lastOrderAt: Date | null
}

/**
 * Writes the figures of a customer. `read` runs with the customer's row locked, so that it sees every order that was
 * committed before.
 */
export async function writeFigures(
  tx: StoreTx,
  customerId: string,
  read: () => Promise<CustomerFigures>,
): Promise<void> {
  const locked = await Customer.in(tx).findById(customerId).forNoKeyUpdate()
  if (!locked) return
  const figures = await read()
  const changed = isEqual(locked, figures) ? {} : { updatedAt: nextUpdatedAt(locked) }
  await Customer.in(tx)
    .findById(customerId)
    .patch({ ...figures, ...changed })
}

const isEqual = (one: CustomerFigures, other: CustomerFigures): boolean =>
  one.ordersCount === other.ordersCount &&
  one.totalSpentMinor === other.totalSpentMinor &&
  one.lastOrderAt?.getTime() === other.lastOrderAt?.getTime()
