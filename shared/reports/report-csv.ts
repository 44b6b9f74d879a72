import { type CsvColumn, CsvFile } from '#shared/platform/csv/csv-file.ts'
import { readInPages } from '#shared/platform/csv/read-in-pages.ts'
import { NIL_ID } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertPrepared } from './assert-prepared.ts'
import type { Column } from './column.ts'
import { scopeOf } from './load-report-view.ts'
import { parametersOf, type ReportRow, rowsSql, type Scope, unsortedSql } from './read-report.ts'
import { type Layout, layoutOf, type Report } from './report.ts'
import type { ReportRequest } from './report-request.ts'
import { viewValue } from './view.ts'

const BATCH = 500
// Each page adds up the facts of the range again, so pages are long.
const ROWS_PER_PAGE = 4_000

/**
 * Reads all rows of a report as a CSV file, without the totals. Throws 422 for a range that is empty or too long, and
 * 503 `report.preparing`.
 */
export async function reportCsv(
  tx: StoreTx,
  store: Store,
  report: Report,
  request: ReportRequest,
): Promise<CsvFile> {
  const scope = scopeOf(store, request)
  const { layout } = layoutOf(report, request.by)
  if (layout.usesStoredSums) await assertPrepared(tx, scope)
  return CsvFile.of({
    name: `${report.name}-${scope.dateFrom}-${scope.dateTo}`,
    columns: layout.columns.map((column) => toCsvColumn(column, scope.currency)),
    ...(layout.rowId ? await readPages(tx, layout, scope) : await readWhole(tx, layout, scope)),
  })
}

const toCsvColumn = ({ name, kind }: Column, currency: string): CsvColumn<ReportRow> => ({
  name,
  value: (row) => viewValue(row[name], kind, currency),
  ...(name === 'sku' ? { isCode: true } : {}),
})

/** Reads all rows by their id, one page after the other. */
async function readPages(tx: StoreTx, layout: Layout, scope: Scope) {
  const { rowId, columns } = layout
  const parameters = parametersOf(columns, scope)
  const report = `(${unsortedSql(layout)}) as report`
  const { rows: counted } = await tx.knex.raw<{ rows: [{ count: number }] }>(
    `select count(*)::int as count from ${report}`,
    parameters,
  )
  const rows = readInPages(tx.storeId, {
    size: ROWS_PER_PAGE,
    async read(page, afterId, limit) {
      const { rows: found } = await page.knex.raw<{ rows: (ReportRow & { id: string })[] }>(
        `select ${rowId} as id, ${textsOf(columns)} from ${report}
         where ${rowId} > (:after)::uuid order by ${rowId} limit (:limit)::int`,
        { ...parameters, after: afterId ?? NIL_ID, limit },
      )
      return found
    },
  })
  return { rows, totalRows: counted[0].count }
}

/**
 * Reads each row as a JSON text, which is parsed when it is sent. All rows are read together, because one page costs as
 * much as the whole report. Texts take much less memory than objects.
 */
async function readWhole(tx: StoreTx, layout: Layout, scope: Scope) {
  const { rows } = await tx.knex.raw<{ rows: { texts: string }[] }>(
    `select json_build_array(${textsOf(layout.columns)})::text as texts from (${rowsSql(layout)}) as report`,
    parametersOf(layout.columns, scope),
  )
  const texts = rows.map((row) => row.texts)
  return { rows: batches(texts, layout.columns), totalRows: texts.length }
}

const textsOf = (columns: readonly Column[]): string => columns.map(({ name }) => `${name}::text`).join(', ')

function* batches(rows: readonly string[], columns: readonly Column[]): Generator<ReportRow[]> {
  for (let from = 0; from < rows.length; from += BATCH)
    yield rows.slice(from, from + BATCH).map((texts) => {
      const values = JSON.parse(texts) as (string | null)[]
      return Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]))
    })
}
