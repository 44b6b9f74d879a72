import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Customer } from '../customer.ts'
import { CustomerGroup, defaultGroupId } from './customer-group.ts'

export interface CountedGroup {
  group: CustomerGroup
  customersCount: number
}

/** One page of the store's groups by their sort order, with the numbers of their customers. */
export async function listGroups(tx: StoreTx, { page, page_size }: Paged): Promise<Page<CountedGroup>> {
  await defaultGroupId(tx)
  const { results, total } = await CustomerGroup.in(tx)
    .orderBy(['sort_order', 'created_at', 'id'])
    .page(page - 1, page_size)
  return { results: await countCustomers(tx, results), total }
}

/** A group with the number of its customers. Throws `resource.not_found`. */
export async function findGroup(tx: StoreTx, id: string): Promise<CountedGroup> {
  const [found] = await countCustomers(tx, await CustomerGroup.in(tx).where('id', id))
  if (!found) throw CommonErrors.notFound()
  return found
}

/** Adds the numbers of customers to groups. */
export async function countCustomers(tx: StoreTx, groups: CustomerGroup[]): Promise<CountedGroup[]> {
  const ids = groups.map(({ id }) => id)
  const counts = (await Customer.in(tx)
    .whereIn('customer_group_id', ids)
    .groupBy('customer_group_id')
    .select('customer_group_id')
    .count({ count: '*' })) as unknown as { customerGroupId: string; count: string }[]
  const byGroup = new Map(counts.map(({ customerGroupId, count }) => [customerGroupId, Number(count)]))
  return groups.map((group) => ({ group, customersCount: byGroup.get(group.id) ?? 0 }))
}
