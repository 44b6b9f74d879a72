import { lockName } from '#shared/platform/db/lock-name.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import type { Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import { CustomerGroup, defaultGroupId, lockGroup } from './customer-group.ts'

export interface CustomerGroupInput {
  nameI18n: Texts
  descriptionI18n?: Texts
  isDefault?: boolean
  taxExempt?: boolean
  sortOrder?: number
}

/** Creates a group. A new default replaces the previous one; its customers stay in their group. */
export async function createGroup(tx: StoreTx, input: CustomerGroupInput): Promise<CustomerGroup> {
  await defaultGroupId(tx)
  if (input.isDefault) await unsetDefault(tx)
  const at = now()
  return CustomerGroup.in(tx)
    .insert({ ...input, createdAt: at, updatedAt: at })
    .returning('*')
}

/**
 * Changes a group. Throws `resource.not_found`, 412 `resource.changed`, and 422 where no default group would remain.
 */
export async function changeGroup(
  tx: StoreTx,
  id: string,
  input: Partial<CustomerGroupInput>,
  ifMatch: string | undefined,
): Promise<CustomerGroup> {
  if (input.isDefault) await lockDefault(tx)
  const before = await lockGroup(tx, id)
  assertUnchanged(before, ifMatch)
  if (before.isDefault && input.isDefault === false)
    throw invalid(['is_default'], 'Make another group the default instead', false)
  if (input.isDefault && !before.isDefault) await unsetDefault(tx)
  return CustomerGroup.in(tx).patchAndFetchById(id, { ...input, updatedAt: nextUpdatedAt(before) })
}

// Two new defaults at once must not both replace the same one.
const lockDefault = ({ knex, storeId }: StoreTx) => lockName(knex, `default customer group ${storeId}`)

async function unsetDefault(tx: StoreTx): Promise<void> {
  await lockDefault(tx)
  const before = await CustomerGroup.in(tx).findOne('is_default', true).forNoKeyUpdate()
  if (before)
    await CustomerGroup.in(tx)
      .findById(before.id)
      .patch({ isDefault: false, updatedAt: nextUpdatedAt(before) })
}
