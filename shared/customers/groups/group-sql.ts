import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

/** SQL: the group of a customer; null for a guest. `customerId` is an expression of type uuid. */
export const customerGroupSql = (customerId: string): string => `
  (select buyer.customer_group_id from customers buyer
   where buyer.store_id = ${CURRENT_STORE} and buyer.id = ${customerId})`
