import type { Column, ColumnKind } from '#shared/reports/column.ts'
import { layoutOf, PERIOD, type Report } from '#shared/reports/report.ts'
import { viewColumns } from '#shared/reports/view.ts'

const VALUES: Record<ColumnKind, (name: string) => string | number> = {
  text: (name) => TEXTS[name] ?? name,
  count: () => 12,
  money: () => 249.5,
  percent: () => 19,
}

const TEXTS: Record<string, string> = {
  period: '2026-10-01',
  country: 'DE',
  code: 'SPRING10',
  name: 'Oak stool',
  sku: 'STOOL-OAK',
  reason: 'wrong_size',
}

const rowOf = (columns: readonly Column[]) =>
  Object.fromEntries(columns.map(({ name, kind }) => [name, VALUES[kind](name)]))

const totalsOf = (columns: readonly Column[]) =>
  Object.fromEntries(
    columns.map(({ name, kind, total }) => [name, total === 'none' ? NO_TOTAL[kind] : VALUES[kind](name)]),
  )

const NO_TOTAL: Record<ColumnKind, '' | null> = { text: '', count: null, money: null, percent: null }

/** Returns the example of a report in the API description: one row of its first layout. */
export function reportExample(report: Report) {
  const { name, layout } = layoutOf(report)
  return {
    report: report.name,
    by: name,
    group: 'month',
    time_zone: 'Europe/Berlin',
    currency: 'EUR',
    columns: viewColumns(layout.columns),
    date_from: '2026-10-01',
    date_to: '2026-10-31',
    rows: [rowOf(layout.columns)],
    totals: totalsOf(layout.columns),
    pagination: name === PERIOD ? null : { page: 1, page_size: 20, total: 1, total_pages: 1 },
    previous: null,
  }
}
