import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * SQL: whether a customer or their group is exempt from tax; false for a guest. `customerId` is an expression of type
 * uuid, or null for guests.
 */
export const taxExemptSql = (customerId: string | null): string =>
  customerId === null
    ? 'false'
    : `
  exists (
    select from customers buyer
    join customer_groups g on g.store_id = buyer.store_id and g.id = buyer.customer_group_id
    where buyer.store_id = ${CURRENT_STORE} and buyer.id = ${customerId} and (buyer.tax_exempt or g.tax_exempt))`

const FIND_EXEMPTION: Statement = {
  name: 'find_tax_exemption',
  text: `select ${taxExemptSql('$1::uuid')} as "isTaxExempt"`,
}

/** Whether a customer or their group pays no tax. */
export async function isTaxExempt(tx: StoreTx, customerId: string): Promise<boolean> {
  const [found] = await tx.prepared<{ isTaxExempt: boolean }>(FIND_EXEMPTION, [customerId])
  return found?.isTaxExempt ?? false
}
