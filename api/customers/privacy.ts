import { Type } from 'typebox'
import { ConfirmBody } from '#api/identity/schemas.ts'
import { customer, staff } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { anonymizeCustomer as anonymize } from '#shared/customer-records/anonymize-customer.ts'
import { exportCustomer as exportData } from '#shared/customer-records/export-customer.ts'
import { CustomerExportView, viewCustomerExport } from '#shared/customer-records/export-view.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { AdminCustomerView, viewAdminCustomer } from '#shared/customers/view.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { confirmPassword, lockConfirmed } from '#shared/identity/passwords/confirm-password.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { holds } from '#shared/staff/rights.ts'
import { anonymizedExample, exportExample } from './admin-examples.ts'
import { CustomerParams } from './admin-schemas.ts'

const WHAT_GOES =
  'Erases names, addresses, telephone numbers, notes, devices and links to identity providers for ever: in the account, in ' +
  'orders, returns, gift vouchers and questions, in events and webhooks, queued mails, the audit log and stored ' +
  'responses. Amounts, taxes, countries and postcodes of orders stay. What a guest ordered with the same address goes ' +
  'too, if the address was verified. Refused while business is open; the message names it.'

export const anonymizeCustomer = endpoint({
  method: 'post',
  path: '/admin/customers/:id/anonymize',
  access: staff('customers:write'),
  audit: { action: 'postAdminCustomersIdAnonymize', resource: 'customers', erases: true },
  summary: 'Anonymize a customer, which cannot be undone',
  description: WHAT_GOES,
  params: CustomerParams,
  returns: [200, AdminCustomerView],
  errors: [CommonErrors.notFound, CustomerErrors.hasOpenBusiness, CustomerErrors.anonymized],
  example: { data: anonymizedExample },
  async handle({ tx, store, params }) {
    return viewAdminCustomer(await anonymize(tx, params.id), store.currency)
  },
})

export const exportCustomer = endpoint({
  method: 'get',
  path: '/admin/customers/:id/export',
  access: staff('customers:read'),
  audit: { action: 'getAdminCustomersIdExport', resource: 'customers', isExport: true },
  summary: 'Export all data that the store holds of a customer',
  description: 'The payout details of affiliates need the right `reports:read`.',
  params: CustomerParams,
  returns: [200, CustomerExportView],
  errors: [CommonErrors.notFound],
  example: { data: exportExample },
  async handle({ tx, store, staff: caller, params }) {
    const seesPayout = holds(caller, ['reports:read'])
    return viewCustomerExport(await exportData(tx, params.id, { seesPayout }), store.currency)
  },
})

export const exportMe = endpoint({
  method: 'get',
  path: '/auth/me/export',
  access: customer,
  summary: 'Export all data that the store holds of you',
  returns: [200, CustomerExportView],
  example: { data: exportExample },
  async handle({ tx, store, customer }) {
    return viewCustomerExport(await exportData(tx, customer.id, { seesPayout: true }), store.currency)
  },
})

export const deleteMe = endpoint({
  method: 'post',
  path: '/auth/me/delete',
  access: customer,
  limits: [limits.api, limits.codes],
  ...takesPassword,
  summary: 'Delete your own account, which cannot be undone',
  description: `Takes the password. ${WHAT_GOES}`,
  body: ConfirmBody,
  returns: [200, Type.Null()],
  errors: [AuthErrors.invalidCredentials, CustomerErrors.hasOpenBusiness],
  example: { body: { current_password: 'correct horse battery' }, data: null },
  async handle({ store, customer: { id }, body, unitOfWork }) {
    const confirmed = await confirmPassword(store.id, { type: 'customer', id }, body.current_password)
    return unitOfWork.inStore(store.id, async (tx) => {
      await lockConfirmed(tx, confirmed)
      await anonymize(tx, id)
      return null
    })
  },
})
