import { RETURN_STATUSES } from '#shared/returns/states.ts'
import { type Column, count, money, text } from './column.ts'
import type { Keys, Layout, Report } from './report.ts'
import { inStoreLanguage, within } from './sql.ts'

const FIGURES: Column[] = [
  count('returns', 'Returns; the total counts each once', 'recount'),
  count('units', 'Units on them'),
  count('received_units', 'Units that arrived'),
  count('restocked_units', 'Units that are sold again'),
  money('value', 'What was paid for the units, with tax'),
]

/** SQL: the figures of returns `r`, their items `n` and the lines `i` of their orders, by a key. */
const figures = (key: string): string => `
  select ${key} as key, count(distinct r.id) as returns, sum(n.quantity) as units,
    coalesce(sum(n.quantity) filter (where r.received_at is not null and n.disposition is distinct from 'missing'), 0) as received_units,
    coalesce(sum(n.quantity) filter (where r.restocked_at is not null and n.disposition = 'restocked'), 0) as restocked_units,
    sum(round(i.total_minor::numeric * n.quantity / i.quantity)) as value
  from returns r
  join return_items n on n.store_id = r.store_id and n.return_id = r.id
  join order_items i on i.store_id = n.store_id and i.id = n.order_item_id
  join orders o on o.store_id = r.store_id and o.id = r.order_id
  where ${within('r.created_at')} and o.currency = :currency
    and case when (:status)::text is null then r.status not in ('rejected', 'canceled') else r.status = (:status)::text end
  group by 1`

const of = (name: string, description: string, expression: string): Layout => ({
  columns: [text(name, description), ...FIGURES],
  order: `units desc, ${name}`,
  sql: ({ key }) => `select key as ${name}, f.* from (${figures(key(expression))}) as f`,
})

const byProduct = ({ key }: Keys): string => `
  select f.key as product_id, ${inStoreLanguage('p.name_i18n')} as name, f.*
  from (${figures(key(`coalesce(i.product_id::text, '')`))}) as f left join products p on p.id::text = f.key`

export const RETURNS: Report = {
  name: 'returns',
  summary: 'Returns by reason, product or action',
  description:
    'The returns that were requested in the range. Rejected and canceled ones count only where `status` asks for them.',
  statuses: RETURN_STATUSES,
  layouts: {
    reason: of('reason', 'Of the units', 'n.reason'),
    product: {
      columns: [text('product_id', 'Of the units'), text('name', "In the store's language"), ...FIGURES],
      order: 'units desc, product_id',
      sql: byProduct,
    },
    action: of('action', 'The compensation of the return', 'r.action'),
  },
}
