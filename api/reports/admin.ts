import { staff } from '#api/platform/auth/access.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AFFILIATES_REPORT } from '#shared/reports/definitions/affiliates.ts'
import { COUPONS_REPORT } from '#shared/reports/definitions/coupons.ts'
import { CUSTOMERS_REPORT, CUSTOMERS_WITHOUT_NAMES } from '#shared/reports/definitions/customers.ts'
import { INVENTORY_REPORT } from '#shared/reports/definitions/inventory.ts'
import { MARKETING_REPORT } from '#shared/reports/definitions/marketing.ts'
import { PRODUCTS_REPORT } from '#shared/reports/definitions/products.ts'
import { RETURNS_REPORT } from '#shared/reports/definitions/returns.ts'
import { SALES_REPORT } from '#shared/reports/definitions/sales.ts'
import { SHIPPING_REPORT } from '#shared/reports/definitions/shipping.ts'
import { TAX_REPORT } from '#shared/reports/definitions/tax.ts'
import { VOUCHERS_REPORT } from '#shared/reports/definitions/vouchers.ts'
import { ReportErrors } from '#shared/reports/errors.ts'
import { loadReportView } from '#shared/reports/load-report-view.ts'
import type { Report } from '#shared/reports/report.ts'
import { reportCsv } from '#shared/reports/report-csv.ts'
import { reportQuery } from '#shared/reports/report-request.ts'
import { reportView } from '#shared/reports/view.ts'
import { holds, type RightsHolder } from '#shared/staff/rights.ts'
import { reportExample } from './example.ts'

const needsStoredSums = ({ layouts }: Report): boolean =>
  Object.values(layouts).some(({ usesStoredSums }) => usesStoredSums)

/** A report that names customers. */
interface Personal {
  /** The report for callers without the right `customers:read`. */
  withoutNames: Report
  audit: Operation['audit']
}

const reportEndpoint = (report: Report, personal?: Personal): Operation => {
  const reportFor = (reader: RightsHolder) =>
    personal && !holds(reader, ['customers:read']) ? personal.withoutNames : report
  return endpoint({
    method: 'get',
    path: `/admin/reports/${report.name}`,
    access: staff('reports:read'),
    ...(personal?.audit ? { audit: personal.audit } : {}),
    summary: report.summary,
    description: report.description,
    query: reportQuery(report),
    errors: needsStoredSums(report) ? [ReportErrors.preparing] : [],
    returns: [200, reportView(report)],
    example: { data: reportExample(report) },
    csv: ({ tx, store, staff, query }) => reportCsv(tx, store, reportFor(staff), query),
    handle: ({ tx, store, staff, query }) => loadReportView(tx, store, reportFor(staff), query),
  })
}

export const readSales = reportEndpoint(SALES_REPORT)
export const readProducts = reportEndpoint(PRODUCTS_REPORT)
export const readCustomers = reportEndpoint(CUSTOMERS_REPORT, {
  withoutNames: CUSTOMERS_WITHOUT_NAMES,
  audit: { action: 'getAdminReportsCustomers', resource: 'customers' },
})
export const readCoupons = reportEndpoint(COUPONS_REPORT)
export const readVouchers = reportEndpoint(VOUCHERS_REPORT)
export const readTax = reportEndpoint(TAX_REPORT)
export const readShipping = reportEndpoint(SHIPPING_REPORT)
export const readReturns = reportEndpoint(RETURNS_REPORT)
export const readMarketing = reportEndpoint(MARKETING_REPORT)
export const readAffiliates = reportEndpoint(AFFILIATES_REPORT)
export const readInventory = reportEndpoint(INVENTORY_REPORT)
