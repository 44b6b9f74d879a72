import {
  CustomerGroup,
  type CustomerGroupInput,
  defaultGroupId,
  unsetDefaultGroup,
} from '#shared/customers/customer-group.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Creates a group. A new default replaces the previous one; its customers stay in their group. */
export async function createGroup(tx: StoreTx, input: CustomerGroupInput): Promise<CustomerGroup> {
  await defaultGroupId(tx)
  if (input.isDefault) await unsetDefaultGroup(tx)
  const at = now()
  return CustomerGroup.in(tx)
    .insert({ ...input, createdAt: at, updatedAt: at })
    .returning('*')
}
