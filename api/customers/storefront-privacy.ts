import { Type } from 'typebox'
import { proofOf } from '#api/identity/request.ts'
import { ConfirmSecondFactorRequest } from '#api/identity/schemas.ts'
import { customer } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { anonymizeCustomer } from '#shared/customer-records/anonymize-customer.ts'
import { OWN_BUSINESS } from '#shared/customer-records/assert-no-open-business.ts'
import { exportPersonalData } from '#shared/customer-records/export-personal-data.ts'
import { CustomerExportView, viewCustomerExport } from '#shared/customer-records/export-view.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { ownExportExample } from './admin-examples.ts'
import { CustomerExportQuery } from './admin-schemas.ts'
import { ERASURE } from './erasure-description.ts'
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

export const deleteMe = endpoint({
  method: 'post',
  path: '/auth/me/delete',
  access: customer,
  limits: [limits.api, limits.codes],
  ...takesPassword,
  summary: 'Delete your own account, which cannot be undone',
  description:
    'Takes the password, and with two-factor sign-in a `totp_code` or a `recovery_code`. ' +
    `${ERASURE} Of guest orders it gives only the number.`,
  body: ConfirmSecondFactorRequest,
  returns: [200, Type.Null()],
  errors: [
    AuthErrors.invalidCredentials,
    AuthErrors.totpRequired,
    AuthErrors.totpInvalid,
    CustomerErrors.hasOpenBusiness,
  ],
  example: { body: { current_password: 'correct horse battery' }, data: null },
  async handle({ store, customer: { id }, body, unitOfWork }) {
    await reauthenticate(store.id, { type: 'customer', id }, proofOf(body), (lock) =>
      unitOfWork.inStore(store.id, async (tx) => {
        await lock(tx)
        await anonymizeCustomer(tx, id, OWN_BUSINESS)
      }),
    )
    return null
  },
})
