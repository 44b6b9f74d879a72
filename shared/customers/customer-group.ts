import { newId } from '#shared/platform/db/id.ts'
import { lockName } from '#shared/platform/db/lock-name.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'

/** A group of customers. Every customer is in one; new customers are in the default group. */
export class CustomerGroup extends StoreModel {
  static override tableName = 'customer_groups'
  static override jsonAttributes = ['nameI18n', 'descriptionI18n']

  declare nameI18n: Texts
  declare descriptionI18n: Texts
  declare isDefault: boolean
  declare taxExempt: boolean
  declare sortOrder: number
  declare createdAt: Date
  declare updatedAt: Date
}

const DEFAULT_NAME = { en: 'Default', de: 'Standard' }

/**
 * Returns the id of the store's default group, which the first call creates. The group cannot be deleted until the
 * transaction ends.
 */
export async function ensureDefaultGroup(tx: StoreTx): Promise<string> {
  const found = await CustomerGroup.in(tx).findOne('is_default', true).forKeyShare().select('id')
  if (found) return found.id
  const at = now()
  // If two first customers register at the same time, one finds the group of the other.
  await CustomerGroup.in(tx)
    .insert({ id: newId(), nameI18n: DEFAULT_NAME, isDefault: true, createdAt: at, updatedAt: at })
    .onConflict()
    .ignore()
  return ensureDefaultGroup(tx)
}

/** Locks and returns a group of the store. Throws `resource.not_found`. */
export async function lockCustomerGroup(tx: StoreTx, id: string): Promise<CustomerGroup> {
  return assertFound(await CustomerGroup.in(tx).findById(id).forNoKeyUpdate())
}

/** Throws 422 for an unknown group. A known group cannot be deleted until the transaction ends. */
export async function assertCustomerGroup(
  tx: StoreTx,
  id: string | null | undefined,
  loc: (string | number)[] = ['customer_group_id'],
): Promise<void> {
  if (id && !(await CustomerGroup.in(tx).findById(id).forKeyShare().select('id')))
    throw invalid(loc, 'This store does not have this customer group. Use the id of an existing one', id)
}

/** SQL: the group of a customer; null for a guest. `customerId` is an expression of type uuid, or null for guests. */
export const customerGroupSql = (customerId: string | null): string =>
  customerId === null
    ? 'null::uuid'
    : `
  (select buyer.customer_group_id from customers buyer
   where buyer.store_id = ${CURRENT_STORE} and buyer.id = ${customerId})`

export type CustomerGroupInput = Pick<CustomerGroup, 'nameI18n'> &
  Partial<Pick<CustomerGroup, 'descriptionI18n' | 'isDefault' | 'taxExempt' | 'sortOrder'>>

/** Locks the default, because two concurrent changes must not both replace the same one. */
export const lockDefaultGroup = ({ knex, storeId }: StoreTx) =>
  lockName(knex, `default customer group ${storeId}`)

/** Unsets the default before another group becomes it. */
export async function unsetDefaultGroup(tx: StoreTx): Promise<void> {
  await lockDefaultGroup(tx)
  const before = await CustomerGroup.in(tx).findOne('is_default', true).forNoKeyUpdate()
  if (before)
    await CustomerGroup.in(tx)
      .findById(before.id)
      .patch({ isDefault: false, updatedAt: nextUpdatedAt(before) })
}
