import {
  CustomerGroup,
  type CustomerGroupInput,
  ensureDefaultGroup,
  unsetDefaultGroup,
} from '#shared/customers/customer-group.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Creates a group. If it is the default, the previous default becomes an ordinary group and keeps its customers. */
export async function createCustomerGroup(tx: StoreTx, input: CustomerGroupInput): Promise<CustomerGroup> {
  // Otherwise the first group that staff create would be the store's only one, and no default.
  await ensureDefaultGroup(tx)
  if (input.isDefault) await unsetDefaultGroup(tx)
  const at = now()
  return CustomerGroup.in(tx)
    .insert({ ...input, createdAt: at, updatedAt: at })
    .returning('*')
}
