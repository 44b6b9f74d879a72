import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

// Concurrent registrations write different rows, so that they do not wait for each other.
const BUCKETS = 8

const COUNT: Statement = {
  name: 'count_customers_of_group',
  text: `
    insert into customer_counts as c (store_id, customer_group_id, bucket, customers)
    values (${CURRENT_STORE}, $1::uuid, $2::int, $3::int)
    on conflict (store_id, customer_group_id, bucket) do update set customers = c.customers + excluded.customers`,
}

/** Adds customers to the number of a group. `customers` is negative if they leave it. */
export async function addToCount(tx: StoreTx, groupId: string, customers = 1): Promise<void> {
  await tx.prepared(COUNT, [groupId, Math.floor(Math.random() * BUCKETS), customers])
}

/** Counts the move of a customer. It writes the groups by ascending id, so that two moves cannot deadlock. */
export async function countMove(tx: StoreTx, { from, to }: { from: string; to: string }): Promise<void> {
  for (const group of [from, to].sort()) await addToCount(tx, group, group === from ? -1 : 1)
}

/** Adds the number of a group's customers to that of another group. The caller has locked and moved the customers. */
export async function moveCount(tx: StoreTx, from: string, to: string): Promise<void> {
  const moved = await countCustomers(tx, from)
  await tx.knex('customer_counts').where({ store_id: tx.storeId, customer_group_id: from }).delete()
  await addToCount(tx, to, moved)
}

/** Returns the number of customers of the store, or of one of its groups. */
export async function countCustomers(tx: StoreTx, groupId?: string): Promise<number> {
  const [counted] = await tx
    .knex('customer_counts')
    .where({ store_id: tx.storeId, ...(groupId ? { customer_group_id: groupId } : {}) })
    .sum({ customers: 'customers' })
  return Number(counted?.customers ?? 0)
}

/** Returns the numbers of customers of groups. A group that never had any is missing. */
export async function countByGroup(tx: StoreTx, groupIds: readonly string[]): Promise<Map<string, number>> {
  const rows: { id: string; customers: string }[] = await tx
    .knex('customer_counts')
    .where('store_id', tx.storeId)
    .whereIn('customer_group_id', groupIds)
    .groupBy('customer_group_id')
    .select({ id: 'customer_group_id' })
    .sum({ customers: 'customers' })
  return new Map(rows.map(({ id, customers }) => [id, Number(customers)]))
}
