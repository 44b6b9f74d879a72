import type { Static } from 'typebox'
import { customer } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { withExportPermit } from '#shared/customer-records/export-permit.ts'
import { type ExportOptions, exportPersonalData } from '#shared/customer-records/export-personal-data.ts'
import { CustomerExportView, viewCustomerExport } from '#shared/customer-records/export-view.ts'
import { ownExportExample } from './admin-examples.ts'
import { CustomerExportQuery } from './admin-schemas.ts'
import { EXPORT_PARTS } from './export-description.ts'

const toExportOptions = (query: Static<typeof CustomerExportQuery>): ExportOptions => ({
  seesPayoutDetails: true,
  seesInternalNotes: false,
  createdFrom: query.created_from,
  createdTo: query.created_to,
})

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
  async handle({ store, customer, query, unitOfWork }) {
    const options = toExportOptions(query)
    const found = await withExportPermit(store.id, () =>
      unitOfWork.inStore(store.id, (tx) => exportPersonalData(tx, customer.id, options)),
    )
    return viewCustomerExport(found, store.currency)
  },
})
