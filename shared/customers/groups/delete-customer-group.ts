import { Customer } from '#shared/customers/customer.ts'
import { countCustomers, moveCount } from '#shared/customers/customer-counts.ts'
import { CustomerGroup, lockCustomerGroup } from '#shared/customers/customer-group.ts'
import { CustomerGroupErrors } from '#shared/customers/errors.ts'
import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { consumeStoredBytesIn } from '#shared/platform/throttle/limit-stored-bytes.ts'
import { invalid } from '#shared/platform/validation.ts'

/** More would take longer than a statement may. */
export const MAX_MOVED_CUSTOMERS = 20_000
/** The bytes that the move of a customer writes, with the entries of eleven indexes. */
const BYTES_OF_MOVE = 2_000

/** Whether a price rule is for a group. Customers may not import the catalog, so the caller passes this function in. */
export type HasPriceRules = (tx: StoreTx, groupId: string) => Promise<boolean>

/**
 * Deletes a group. Moves its customers to the group `moveTo` first, if that is given. Throws `resource.not_found`,
 * `customer_group.is_default`, `customer_group.in_use` if customers or price rules refer to it,
 * `customer_group.too_large`, 422 for an unknown `moveTo`, and 429 past LIMIT_STORED_MB.
 */
export async function deleteCustomerGroup(
  tx: StoreTx,
  id: string,
  moveTo: string | undefined,
  hasPriceRules: HasPriceRules,
): Promise<void> {
  const group = await lockCustomerGroup(tx, id)
  if (group.isDefault) throw CustomerGroupErrors.isDefault()
  // Check before the move, so that a refused deletion does not write it in vain.
  if (await hasPriceRules(tx, id)) throw CustomerGroupErrors.inUse()
  if (moveTo) await moveCustomers(tx, id, moveTo)
  try {
    // Foreign keys decide whether it is in use, so a customer who enters the group at the same time prevents the
    // deletion too.
    await CustomerGroup.in(tx).deleteById(id)
  } catch (error) {
    throw sqlState(error) === FOREIGN_KEY_VIOLATION ? CustomerGroupErrors.inUse() : error
  }
}

async function moveCustomers(tx: StoreTx, id: string, moveTo: string): Promise<void> {
  const exists = await CustomerGroup.in(tx).findById(moveTo).forKeyShare().select('id')
  if (!exists || moveTo === id)
    throw invalid(['move_to'], 'Name another customer group of this store', moveTo)
  const customers = await countCustomers(tx, id)
  if (customers > MAX_MOVED_CUSTOMERS)
    throw CustomerGroupErrors.tooLarge({ customers, max: MAX_MOVED_CUSTOMERS })
  await consumeStoredBytesIn(tx, 'staff', customers * BYTES_OF_MOVE)
  await Customer.in(tx)
    .where('customer_group_id', id)
    .patch({ customerGroupId: moveTo, updatedAt: nextUpdatedAtSql() })
  await moveCount(tx, id, moveTo)
}
