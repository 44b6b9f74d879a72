import { countByGroup } from '#shared/customers/customer-counts.ts'
import { CustomerGroup, ensureDefaultGroup } from '#shared/customers/customer-group.ts'
import { inAnyLanguage, List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

export interface CountedGroup {
  group: CustomerGroup
  customersCount: number
}

export const CUSTOMER_GROUPS = new List({
  sorts: { sort_order: ['sort_order', 'created_at'], created_at: 'created_at', updated_at: 'updated_at' },
  order: 'sort_order',
  searches: 'Part of a name or a description',
  text: [inAnyLanguage('name_i18n'), inAnyLanguage('description_i18n')],
})

/** Returns one page of the store's groups with the numbers of their customers, by default sorted by position. */
export async function listCustomerGroups(tx: StoreTx, filter: ListFilter): Promise<Page<CountedGroup>> {
  await ensureDefaultGroup(tx)
  const { results, total } = await CUSTOMER_GROUPS.page(CustomerGroup.in(tx), filter)
  return { results: await withCounts(tx, results), total }
}

/** Returns a group with the number of its customers. Throws `resource.not_found`. */
export async function findCustomerGroup(tx: StoreTx, id: string): Promise<CountedGroup> {
  const [found] = await withCounts(tx, await CustomerGroup.in(tx).where('id', id))
  if (!found) throw CommonErrors.notFound()
  return found
}

/** Adds the numbers of customers to groups. */
export async function withCounts(tx: StoreTx, groups: CustomerGroup[]): Promise<CountedGroup[]> {
  const counts = await countByGroup(
    tx,
    groups.map(({ id }) => id),
  )
  return groups.map((group) => ({ group, customersCount: counts.get(group.id) ?? 0 }))
}
