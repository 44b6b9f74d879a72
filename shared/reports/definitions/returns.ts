import { toSqlList } from '#shared/platform/states.ts'
import { type Column, count, money, text } from '#shared/reports/column.ts'
import { factsInRangeSql, SPANS } from '#shared/reports/facts/fact.ts'
import { RETURN_FACTS } from '#shared/reports/facts/return-facts.ts'
import { inStoreLanguage } from '#shared/reports/facts/sql.ts'
import type { KeySql, Layout, Report } from '#shared/reports/report.ts'
import { RETURN_STATUSES, VOID_RETURN_STATUSES } from '#shared/returns/states.ts'

const FIGURES: Column[] = [
  count('returns', 'Returns; the total counts each once', 'recount'),
  count('units', 'Units on them'),
  count('received_units', 'Units that arrived'),
  count('restocked_units', 'Units that are sold again'),
  money('value', 'The amount paid for the units, with tax'),
]

/** SQL: the figures by the value of a kind of row. A recount has only one row, the total. */
const figures = ({ key }: KeySql, kind: string): string => `
  select value as key, sum(returns) as returns, sum(units) as units, sum(received_units) as received_units,
    sum(restocked_units) as restocked_units, sum(paid) as value
  from (${factsInRangeSql(RETURN_FACTS)}) as f
  where kind = ${key(`'${kind}'`)} and currency = :currency
    and case when (:status)::text is null then status not in ${toSqlList(VOID_RETURN_STATUSES)} else status = (:status)::text end
  group by 1`

const layoutBy = (name: string, description: string): Layout => ({
  columns: [text(name, description), ...FIGURES],
  order: `units desc, ${name}`,
  sql: (keys) => `with ${SPANS} select key as ${name}, f.* from (${figures(keys, name)}) as f`,
  usesStoredSums: true,
})

const byProduct = (keys: KeySql): string => `
  with ${SPANS}
  select f.key as product_id, ${inStoreLanguage('p.name_i18n')} as name, f.*
  from (${figures(keys, 'product')}) as f left join products p on p.id::text = f.key`

export const RETURNS_REPORT: Report = {
  name: 'returns',
  summary: 'Returns by reason, product or action',
  description:
    'The returns that were requested in the range. Rejected and canceled ones count only where `status` asks for them.',
  statuses: RETURN_STATUSES,
  layouts: {
    reason: layoutBy('reason', 'The reason of the units'),
    product: {
      columns: [
        text('product_id', 'The product of the units'),
        text('name', "In the store's language"),
        ...FIGURES,
      ],
      order: 'units desc, product_id',
      sql: byProduct,
      usesStoredSums: true,
    },
    action: layoutBy('action', 'The compensation of the return'),
  },
}
