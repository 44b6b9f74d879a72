import { customer } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { exportPersonalData } from '#shared/customer-records/export-personal-data.ts'
import { CustomerExportView, viewCustomerExport } from '#shared/customer-records/export-view.ts'
import { ownExportExample } from './admin-examples.ts'
import { CustomerExportQuery } from './admin-schemas.ts'
import { EXPORT_PARTS } from './export-description.ts'

export const exportMe = endpoint({
  method: 'get',
  path: '/auth/me/export',
  access: customer,
  summary: 'Export all data that the store holds of you',
  description: `Notes that staff write for each other are not in it. ${EXPORT_PARTS}`,
  query: CustomerExportQuery,
  returns: [200, CustomerExportView],
  example: { data: ownExportExample },
  async handle({ tx, store, customer, query }) {
    const found = await exportPersonalData(tx, customer.id, {
      seesPayoutDetails: true,
      seesInternalNotes: false,
      createdFrom: query.created_from,
      createdTo: query.created_to,
    })
    return viewCustomerExport(found, store.currency)
  },
})
