import { customer } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { exportOwnData } from '#shared/customer-records/export-own-data.ts'
import { CustomerExportView, viewCustomerExport } from '#shared/customer-records/export-view.ts'
import { ownExportExample } from './admin-examples.ts'
import { CustomerExportQuery } from './admin-schemas.ts'
import { EXPORT_PARTS } from './export-description.ts'

export const exportMe = endpoint({
  method: 'get',
  path: '/auth/me/export',
  access: customer,
  transaction: 'manual',
  summary: 'Export all data that the store holds of you',
  description: `Notes that staff write for each other are not in it. ${EXPORT_PARTS}`,
  query: CustomerExportQuery,
  returns: [200, CustomerExportView],
  example: { data: ownExportExample },
  async handle({ store, customer, query }) {
    const period = { createdFrom: query.created_from, createdTo: query.created_to }
    const found = await exportOwnData(store.id, customer.id, period)
    return viewCustomerExport(found, store.currency)
  },
})
