import { type Fact, rowsOn } from './fact.ts'

/**
 * The kinds of rows in the report, with the SQL of their value. Returns are `r`, their items `n` and order lines `i`.
 */
const KINDS = {
  reason: 'n.reason',
  product: `coalesce(i.product_id::text, '')`,
  action: 'r.action',
  total: `''`,
} as const

/**
 * Returns by the day of their request, with the status of the return. Each kind of row counts them: a return with two
 * reasons counts for both, and once in the total.
 */
export const RETURN_FACTS: Fact = {
  name: 'returns',
  keys: ['kind', 'value'],
  sums: ['returns', 'units', 'received_units', 'restocked_units', 'paid'],
  sql: (days) => `
    select d.day, o.currency, r.status, k.kind, k.value,
      case when row_number() over (partition by r.id, k.kind, k.value) = 1 then 1 else 0 end as returns,
      n.quantity as units,
      case when r.received_at is not null and n.disposition is distinct from 'missing' then n.quantity else 0 end as received_units,
      case when r.restocked_at is not null and n.disposition = 'restocked' then n.quantity else 0 end as restocked_units,
      round(i.total_minor::numeric * n.quantity / i.quantity) as paid
    from ${rowsOn(days, 'returns', 'created_at', 'r')}
    join return_items n on n.return_id = r.id join order_items i on i.id = n.order_item_id join orders o on o.id = r.order_id
    cross join lateral (values ${Object.entries(KINDS)
      .map(([kind, value]) => `('${kind}', ${value})`)
      .join(', ')}) as k (kind, value)`,
}
