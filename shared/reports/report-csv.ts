import { type CsvColumn, CsvFile } from '#shared/platform/csv/csv-file.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertPrepared } from './assert-prepared.ts'
import type { Column } from './column.ts'
import { parametersOf, type ReportRow, rowsSql, type Scope } from './read-report.ts'
import { type Layout, layoutOf, type Report } from './report.ts'
import { type ReportRequest, scopeOf } from './show-report.ts'
import { viewValue } from './view.ts'

const BATCH = 500

/**
 * Reads all rows of a report as a CSV file, without the totals. Throws 422 for a range that is empty or too long, and
 * 503 `report.preparing`.
 */
export async function reportCsv(
  tx: StoreTx,
  store: Store,
  report: Report,
  asked: ReportRequest,
): Promise<CsvFile> {
  const scope = scopeOf(store, asked)
  const { layout } = layoutOf(report, asked.by)
  if (layout.isSummed) await assertPrepared(tx, scope)
  const rows = await readTexts(tx, layout, scope)
  return CsvFile.of({
    name: `${report.name}-${scope.dateFrom}-${scope.dateTo}`,
    columns: layout.columns.map((column) => toCsvColumn(column, scope.currency)),
    rows: batches(rows, layout.columns),
    totalRows: rows.length,
  })
}

const toCsvColumn = ({ name, kind }: Column, currency: string): CsvColumn<ReportRow> => ({
  name,
  value: (row) => viewValue(row[name], kind, currency),
  ...(name === 'sku' ? { isCode: true } : {}),
})

/**
 * Reads each row as a JSON text, which is parsed when it is sent. All rows are read together, because one page costs as
 * much as the whole report. Texts take much less memory than objects.
 */
async function readTexts(tx: StoreTx, layout: Layout, scope: Scope): Promise<string[]> {
  const names = layout.columns.map(({ name }) => `${name}::text`).join(', ')
  const { rows } = await tx.knex.raw<{ rows: { texts: string }[] }>(
    `select json_build_array(${names})::text as texts from (${rowsSql(layout)}) as report`,
    parametersOf(layout.columns, scope),
  )
  return rows.map(({ texts }) => texts)
}

function* batches(rows: readonly string[], columns: readonly Column[]): Generator<ReportRow[]> {
  for (let from = 0; from < rows.length; from += BATCH)
    yield rows.slice(from, from + BATCH).map((texts) => {
      const values = JSON.parse(texts) as (string | null)[]
      return Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]))
    })
}
