import { Customer } from '#shared/customers/customer.ts'
import { CustomerAddress } from '#shared/customers/customer-address.ts'
import { CustomerGroup, ensureDefaultGroup } from '#shared/customers/customer-group.ts'
import { findClaimed } from '#shared/imports/claimed-keys.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { CustomerRow } from './read-customer-row.ts'

/** The existing customers that a batch refers to, and the addresses of earlier rows. */
export interface KnownCustomers {
  /** The customers by normalized e-mail address. */
  byEmail: Map<string, Customer>
  /** Address books by the id of the customer. */
  addresses: Map<string, CustomerAddress[]>
  /** The lines of earlier rows by e-mail address. */
  claimedLines: Map<string, number>
  /** The named groups by id, and by their names in each language; of two with the same name the first. */
  groups: { byId: Map<string, CustomerGroup>; byName: Map<string, CustomerGroup> }
  defaultGroupId: string
}

/**
 * Loads and locks the customers of a batch by ascending id. `rows` has its rows by normalized e-mail address. No group
 * that they name, nor the default group, can be deleted until the transaction ends.
 */
export async function lockKnownCustomers(
  tx: StoreTx,
  job: ImportJob,
  rows: ReadonlyMap<string, Pick<CustomerRow, 'group'>[]>,
): Promise<KnownCustomers> {
  const emails = [...rows.keys()]
  const claimed = await findClaimed(tx, job.id, emails, emails)
  // Lock customers before groups, as a change of a customer does. The deletion of a group moves its customers first.
  const customers = await Customer.in(tx)
    .whereRaw('email_normalized = any(?)', [emails])
    .orderBy('id')
    .forNoKeyUpdate()
  const groupId = await ensureDefaultGroup(tx)
  const groups = await findNamedGroups(tx, [...rows.values()].flat())
  const addresses = await CustomerAddress.in(tx).whereRaw('customer_id = any(?)', [
    customers.map(({ id }) => id),
  ])
  return {
    byEmail: new Map(customers.map((customer) => [customer.emailNormalized, customer])),
    addresses: Map.groupBy(addresses, ({ customerId }) => customerId),
    claimedLines: new Map(claimed.map(({ key, line }) => [key, line])),
    groups: groupsByKeys(groups),
    defaultGroupId: groupId,
  }
}

// Not all groups, and without their descriptions: those of one group can take a megabyte.
function findNamedGroups(tx: StoreTx, rows: Pick<CustomerRow, 'group'>[]): PromiseLike<CustomerGroup[]> {
  const named = (key: 'id' | 'name') => [...new Set(rows.flatMap(({ group }) => group[key] ?? []))]
  return CustomerGroup.in(tx)
    .whereRaw('(id::text = any(?) or exists (select from jsonb_each_text(name_i18n) where value = any(?)))', [
      named('id'),
      named('name'),
    ])
    .orderBy('id')
    .select('id', 'name_i18n')
    .forKeyShare()
}

export const groupsByKeys = (groups: CustomerGroup[]): KnownCustomers['groups'] => ({
  byId: new Map(groups.map((group) => [group.id, group])),
  byName: new Map(
    groups.flatMap((group) => Object.values(group.nameI18n).map((name) => [name, group] as const)).reverse(),
  ),
})
