import { isPaidBackSql } from '#shared/refunds/refund.ts'
import { BLOCK_SIZE, type Fact, rowsOn } from './fact.ts'
import { refundedOf } from './sql.ts'

/** SQL: whether the order with this alias is the first one that its customer ever paid. */
export const isFirstOfCustomer = (order: string): string => `
  ${order}.id = (select p.id from orders p where p.customer_id = ${order}.customer_id and p.paid_at is not null
    order by p.paid_at, p.id limit 1)`

/** The customers who paid an order after their first one. */
export const RETURNING_FACTS: Fact = {
  name: 'returning',
  keys: ['block'],
  sums: [],
  isSet: true,
  sql: (days) => `
    select day, currency, status, number / ${BLOCK_SIZE} as block, number % ${BLOCK_SIZE} as member
    from (
      select d.day, o.currency, o.status, (select report_number from customers c where c.id = o.customer_id) as number
      from ${rowsOn(days, 'orders', 'paid_at', 'o')}
      where o.customer_id is not null and not ${isFirstOfCustomer('o')}) as returned`,
}

/** The amounts paid back to customers, by the day of settlement. */
export const CUSTOMER_REFUND_FACTS: Fact = {
  name: 'customer_refunds',
  keys: ['customer_id'],
  sums: ['refunds'],
  sql: (days) => `
    select d.day, o.currency, o.status, o.customer_id, ${refundedOf('r')} as refunds
    from ${rowsOn(days, 'refunds', 'settled_at', 'r')} join orders o on o.id = r.order_id and ${isPaidBackSql('r')}`,
}
