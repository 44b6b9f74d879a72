import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Returns the ids of the orders of a customer, and of guests' orders with one of these e-mail addresses, which are in
 * lower case, in the sequence in which others lock them. They are one value: a row for each of 50,000 orders would
 * block the event loop.
 */
export async function findOrderIdsOfPerson(
  tx: StoreTx,
  { customerId, emails }: { customerId: string; emails: readonly string[] },
): Promise<string[]> {
  const { rows } = await tx.knex.raw<{ rows: { ids: string[] }[] }>(
    `select coalesce(array_agg(id order by id), '{}') as ids from orders
     where store_id = ? and (customer_id = ? or (customer_id is null and lower(email) = any(?)))`,
    [tx.storeId, customerId, [...emails]],
  )
  return rows[0]?.ids ?? []
}
