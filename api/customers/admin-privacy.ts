import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { anonymizeCustomer as anonymize } from '#shared/customer-records/anonymize-customer.ts'
import { exportPersonalData } from '#shared/customer-records/export-personal-data.ts'
import { CustomerExportView, viewCustomerExport } from '#shared/customer-records/export-view.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { AdminCustomerView, viewAdminCustomer } from '#shared/customers/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { holds } from '#shared/staff/rights.ts'
import { anonymizedExample, exportExample } from './admin-examples.ts'
import { CustomerExportQuery, CustomerParams } from './admin-schemas.ts'
import { assertMayEndAccount, ENDS_AFFILIATE } from './assert-may-end-account.ts'
import { businessVisibleTo, NAMES_BY_RIGHTS } from './business-visible-to.ts'
import { ERASURE } from './erasure-description.ts'
import { EXPORT_PARTS } from './export-description.ts'

export const anonymizeCustomer = endpoint({
  method: 'post',
  path: '/admin/customers/:id/anonymize',
  access: staffNotSupport('customers:write'),
  audit: { action: 'postAdminCustomersIdAnonymize', resource: 'customers', erases: true },
  summary: 'Anonymize a customer, which cannot be undone',
  description: `${ERASURE} ${ENDS_AFFILIATE} ${NAMES_BY_RIGHTS}`,
  params: CustomerParams,
  returns: [200, AdminCustomerView],
  errors: [CommonErrors.notFound, CustomerErrors.hasOpenBusiness, CustomerErrors.anonymized],
  example: { data: anonymizedExample },
  async handle({ tx, store, staff: caller, params }) {
    await assertMayEndAccount(tx, caller, params.id)
    return viewAdminCustomer(await anonymize(tx, params.id, businessVisibleTo(caller)), store.currency)
  },
})

export const exportCustomer = endpoint({
  method: 'get',
  path: '/admin/customers/:id/export',
  access: staff('customers:read', 'sales:read'),
  audit: { action: 'getAdminCustomersIdExport', resource: 'customers', isExport: true },
  summary: 'Export all data that the store holds of a customer',
  description:
    'It needs the right `sales:read` besides `customers:read`, because it contains orders and payments. The payout ' +
    `details of affiliates need \`reports:read\`. ${EXPORT_PARTS}`,
  params: CustomerParams,
  query: CustomerExportQuery,
  returns: [200, CustomerExportView],
  errors: [CommonErrors.notFound],
  example: { data: exportExample },
  async handle({ tx, store, staff: caller, params, query }) {
    const exported = await exportPersonalData(tx, params.id, {
      seesPayoutDetails: holds(caller, ['reports:read']),
      seesInternalNotes: true,
      createdFrom: query.created_from,
      createdTo: query.created_to,
    })
    return viewCustomerExport(exported, store.currency)
  },
})
