import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

/** SQL: whether a customer or their group is exempt from tax; false for a guest. `customerId` is an expression of type uuid. */
export const taxExemptSql = (customerId: string): string => `
  exists (
    select from customers buyer
    join customer_groups g on g.store_id = buyer.store_id and g.id = buyer.customer_group_id
    where buyer.store_id = ${CURRENT_STORE} and buyer.id = ${customerId} and (buyer.tax_exempt or g.tax_exempt))`
