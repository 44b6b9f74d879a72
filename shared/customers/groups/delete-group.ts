import { Customer } from '#shared/customers/customer.ts'
import { moveCount } from '#shared/customers/customer-counts.ts'
import { CustomerGroup, lockGroup } from '#shared/customers/customer-group.ts'
import { CustomerGroupErrors } from '#shared/customers/errors.ts'
import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'

/**
 * Deletes a group. Moves its customers to the group `moveTo` first, if that is given. Throws `resource.not_found`,
 * `customer_group.is_default`, `customer_group.in_use` if customers or price rules refer to it, and 422 for an unknown
 * `moveTo`.
 */
export async function deleteGroup(tx: StoreTx, id: string, moveTo: string | undefined): Promise<void> {
  const group = await lockGroup(tx, id)
  if (group.isDefault) throw CustomerGroupErrors.isDefault()
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
  await Customer.in(tx)
    .where('customer_group_id', id)
    .patch({ customerGroupId: moveTo, updatedAt: nextUpdatedAtSql() })
  await moveCount(tx, id, moveTo)
}
