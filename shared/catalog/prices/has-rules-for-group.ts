import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Whether a price rule is for a customer group. */
export async function hasRulesForGroup({ knex, storeId }: StoreTx, groupId: string): Promise<boolean> {
  const rule = await knex('price_rules')
    .where({ store_id: storeId, customer_group_id: groupId })
    .first('product_id')
  return rule !== undefined
}
