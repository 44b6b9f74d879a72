import {
  CustomerGroup,
  type CustomerGroupInput,
  lockCustomerGroup,
  lockDefaultGroup,
  unsetDefaultGroup,
} from '#shared/customers/customer-group.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { invalid } from '#shared/platform/validation.ts'

/** Changes a group. Throws `resource.not_found`, `resource.changed`, and 422 if no default group would remain. */
export async function updateCustomerGroup(
  tx: StoreTx,
  id: string,
  input: Partial<CustomerGroupInput>,
  ifMatch: string | undefined,
): Promise<CustomerGroup> {
  if (input.isDefault) await lockDefaultGroup(tx)
  const before = await lockCustomerGroup(tx, id)
  assertUnchanged(before, ifMatch)
  if (before.isDefault && input.isDefault === false)
    throw invalid(['is_default'], 'Make another group the default instead', false)
  if (input.isDefault && !before.isDefault) await unsetDefaultGroup(tx)
  return CustomerGroup.in(tx).patchAndFetchById(id, { ...input, updatedAt: nextUpdatedAt(before) })
}
