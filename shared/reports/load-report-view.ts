import { pageMeta } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { assertPrepared } from './assert-prepared.ts'
import { previousRange, type Range, rangeOf } from './range.ts'
import { readReport, type Scope } from './read-report.ts'
import { layoutOf, PERIOD, type Report } from './report.ts'
import type { ReportRequest } from './report-request.ts'
import { viewColumns, viewLines } from './view.ts'

/** Returns the parameters of a request, with the defaults of the store. */
export const scopeOf = (store: Store, request: ReportRequest): Scope => ({
  ...rangeOf(request, store.timeZone),
  timeZone: store.timeZone,
  currency: request.currency ?? store.currency,
  group: request.group,
  status: request.status,
  threshold: request.threshold,
})

/** Reads a report as the API shows it. Throws 422 for a range that is empty or too long, and 503 `report.preparing`. */
export async function loadReportView(tx: StoreTx, store: Store, report: Report, request: ReportRequest) {
  const scope = scopeOf(store, request)
  const { name, layout } = layoutOf(report, request.by)
  if (layout.usesStoredSums) await assertPrepared(tx, scope)
  const page = name === PERIOD ? undefined : { page: request.page, page_size: request.page_size }
  const lines = await readReport(tx, layout, scope, page)
  const view = (range: Range, shown: typeof lines) => viewLines(range, shown, layout.columns, scope.currency)
  return {
    report: report.name,
    by: name,
    group: scope.group,
    time_zone: scope.timeZone,
    currency: scope.currency,
    columns: viewColumns(layout.columns),
    ...view(scope, lines),
    pagination: page ? pageMeta(lines.total, page) : null,
    previous: request.compare ? await readPrevious() : null,
  }

  async function readPrevious() {
    const range = previousRange(scope)
    if (layout.usesStoredSums) await assertPrepared(tx, { ...scope, ...range })
    // Rows by product or customer can have another order in the previous range, so only the totals are compared.
    const before = await readReport(tx, layout, { ...scope, ...range }, page && { page: 1, page_size: 0 })
    return view(range, before)
  }
}
