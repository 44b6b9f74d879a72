import { staff } from '#api/platform/auth/access.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { AFFILIATES } from '#shared/reports/affiliates.ts'
import { COUPONS } from '#shared/reports/coupons.ts'
import { CUSTOMERS, CUSTOMERS_WITHOUT_NAMES } from '#shared/reports/customers.ts'
import { ReportErrors } from '#shared/reports/errors.ts'
import { INVENTORY } from '#shared/reports/inventory.ts'
import { MARKETING } from '#shared/reports/marketing.ts'
import { PRODUCTS } from '#shared/reports/products.ts'
import type { Report } from '#shared/reports/report.ts'
import { reportCsv } from '#shared/reports/report-csv.ts'
import { RETURNS } from '#shared/reports/returns.ts'
import { SALES } from '#shared/reports/sales.ts'
import { SHIPPING } from '#shared/reports/shipping.ts'
import { type ReportRequest, showReport } from '#shared/reports/show-report.ts'
import { TAX } from '#shared/reports/tax.ts'
import { reportView } from '#shared/reports/view.ts'
import { VOUCHERS } from '#shared/reports/vouchers.ts'
import { holds, type RightsHolder } from '#shared/staff/rights.ts'
import { reportExample } from './example.ts'
import { reportQuery } from './schemas.ts'

const hasFacts = ({ layouts }: Report): boolean => Object.values(layouts).some(({ isSummed }) => isSummed)

interface Personal {
  /** The report for those without the right `customers:read`. */
  withoutNames: Report
  audit: Operation['audit']
}

const serve = (report: Report, personal?: Personal): Operation => {
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
    errors: hasFacts(report) ? [ReportErrors.preparing] : [],
    returns: [200, reportView(report)],
    example: { data: reportExample(report) },
    csv: ({ tx, store, staff, query }) => reportCsv(tx, store, reportFor(staff), query as ReportRequest),
    handle: ({ tx, store, staff, query }) => showReport(tx, store, reportFor(staff), query as ReportRequest),
  })
}

export const readSales = serve(SALES)
export const readProducts = serve(PRODUCTS)
export const readCustomers = serve(CUSTOMERS, {
  withoutNames: CUSTOMERS_WITHOUT_NAMES,
  audit: { action: 'getAdminReportsCustomers', resource: 'customers' },
})
export const readCoupons = serve(COUPONS)
export const readVouchers = serve(VOUCHERS)
export const readTax = serve(TAX)
export const readShipping = serve(SHIPPING)
export const readReturns = serve(RETURNS)
export const readMarketing = serve(MARKETING)
export const readAffiliates = serve(AFFILIATES)
export const readInventory = serve(INVENTORY)
