import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Column } from './column.ts'
import { daysOf, type Range } from './range.ts'
import { type KeySql, type Layout, PERIOD } from './report.ts'

export const GROUPS = ['day', 'week', 'month'] as const
export type Group = (typeof GROUPS)[number]

/** The scope of a report. */
export interface Scope extends Range {
  /** IANA name. */
  timeZone: string
  /** ISO 4217. */
  currency: string
  group: Group
  status?: string | undefined
  /** A variant with fewer units than this counts as short. */
  threshold?: number | undefined
}

/** The values of a row by column name. Minor units, counts and millionths are bigint. */
export type ReportRow = Record<string, string | bigint | null>

export interface Lines {
  rows: ReportRow[]
  totals: ReportRow
  /** The number of rows on all pages. */
  total: number
}

const KEYS_BY_PERIOD: KeySql = {
  key: (expression) => expression,
  period: (time) => `date_trunc((:group)::text, ${time} at time zone (:zone)::text)::date`,
  ofDay: (day) => `date_trunc((:group)::text, ${day}::timestamp)::date`,
  periods: `
    select generate_series(date_trunc((:group)::text, (:dateFrom)::date::timestamp), (:dateTo)::date::timestamp,
      ('1 ' || (:group)::text)::interval)::date as key`,
}

const KEY_OF_WHOLE_RANGE: KeySql = {
  key: () => `'total'::text`,
  period: () => `'-infinity'::date`,
  ofDay: () => `'-infinity'::date`,
  periods: `select '-infinity'::date as key`,
}

/** Whether a report can use the sums of whole months: its rows are months, or cover the whole range. */
const isByMonth = ([first]: readonly Column[], group: Group): boolean =>
  first?.name !== PERIOD || group === 'month'

export const parametersOf = (
  columns: readonly Column[],
  { dateFrom, dateTo, timeZone, ...scope }: Scope,
) => ({
  dateFrom,
  dateTo,
  zone: timeZone,
  days: daysOf({ dateFrom, dateTo }),
  currency: scope.currency,
  group: scope.group,
  status: scope.status ?? null,
  threshold: scope.threshold ?? null,
  byMonth: isByMonth(columns, scope.group),
})

const cast = ({ name, kind }: Column): string => `${name}::${kind === 'text' ? 'text' : 'bigint'}`

function totalOf(column: Column, order: string): string {
  const { name, kind, total } = column
  if (total === 'sum') return `coalesce(sum(${name}), 0)::bigint`
  if (total === 'last') return `(array_agg(${name} order by ${order} desc))[1]::bigint`
  return `null::${kind === 'text' ? 'text' : 'bigint'}`
}

/** SQL: the rows of a layout as a query, in any sequence. */
export const unsortedSql = ({ sql, withNames }: Layout): string =>
  withNames ? withNames(`(${sql(KEYS_BY_PERIOD)})`) : sql(KEYS_BY_PERIOD)

/** SQL: the rows of a layout in the layout's sequence. */
export const rowsSql = (layout: Layout): string =>
  `select ${layout.columns.map(cast).join(', ')} from (${unsortedSql(layout)}) as report order by ${layout.order}`

/**
 * Reads a report of a store: one page of its rows, or all of them, and the totals over all pages. One statement reads
 * both, so that they agree. Where one customer or return counts in several rows, a second statement counts it once for
 * the totals.
 */
export async function readReport(
  tx: StoreTx,
  { columns, order, sql, withNames }: Layout,
  scope: Scope,
  page?: { page: number; page_size: number },
): Promise<Lines> {
  const parameters = {
    ...parametersOf(columns, scope),
    limit: page?.page_size ?? null,
    offset: page ? (page.page - 1) * page.page_size : 0,
  }
  const { rows } = await tx.knex.raw<{ rows: (ReportRow & { part: string; position: bigint })[] }>(
    `with report as materialized (${sql(KEYS_BY_PERIOD)}),
       paged as (
         select *, row_number() over (order by ${order}) as position
         from (select * from report order by ${order} limit (:limit)::bigint offset (:offset)::bigint) as page)
     select 'row' as part, position, ${columns.map(cast).join(', ')} from (${withNames ? withNames('paged') : 'select * from paged'}) as named
     union all select 'totals', count(*), ${columns.map((column) => totalOf(column, order)).join(', ')} from report
     order by part, position`,
    parameters,
  )
  const lines = rows.map(({ part: _, position: __, ...row }) => row)
  const totals = lines.pop() as ReportRow
  const recounted = columns.filter(({ total }) => total === 'recount')
  if (recounted.length) Object.assign(totals, await recount(tx, { sql, columns: recounted }, scope))
  return { rows: lines, totals, total: Number(rows.at(-1)?.position ?? 0) }
}

async function recount(
  tx: StoreTx,
  { sql, columns }: Pick<Layout, 'sql' | 'columns'>,
  scope: Scope,
): Promise<ReportRow> {
  const { rows } = await tx.knex.raw<{ rows: ReportRow[] }>(
    `select ${columns.map(cast).join(', ')} from (${sql(KEY_OF_WHOLE_RANGE)}) as report`,
    { ...parametersOf(columns, scope), byMonth: true },
  )
  return rows[0] ?? Object.fromEntries(columns.map(({ name }) => [name, 0n]))
}
