import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ERASURE } from '#api/customers/erasure-description.ts'
import { account } from '#api/platform/auth/access.ts'
import type { AccountCaller } from '#api/platform/auth/callers.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { anonymizeCustomer } from '#shared/customer-records/anonymize-customer.ts'
import { OWN_BUSINESS } from '#shared/customer-records/find-open-business.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { reauthenticate } from '#shared/identity/reauthentication/reauthenticate.ts'
import { findIntegrations } from '#shared/integrations/find-integrations.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { leaveStore } from '#shared/staff/members/leave-store.ts'
import { lockRoster } from '#shared/staff/roster.ts'
import { proofOf } from './request.ts'
import { ConfirmSecondFactorRequest } from './schemas.ts'

export const deleteMe = endpoint({
  method: 'post',
  path: '/auth/me/delete',
  access: account,
  audit: { action: 'postAuthMeDelete', resource: 'users' },
  limits: [limits.api, limits.codes],
  ...takesPassword,
  summary: 'Delete your own account, which cannot be undone',
  description:
    'Takes the password, and with two-factor sign-in a `totp_code` or a `recovery_code`. Staff leave the store and ' +
    'need no right for it: the effects are those of DELETE /admin/users/{user_id}, so the address is free again. ' +
    `The owner and the last administrator cannot leave. Of a customer: ${ERASURE} ` +
    'Of guest orders, the message gives only the number.',
  body: ConfirmSecondFactorRequest,
  returns: [200, Type.Null()],
  errors: [
    ...CREDENTIAL_ERRORS,
    CustomerErrors.hasOpenBusiness,
    StaffErrors.ownerStays,
    StaffErrors.lastAdmin,
  ],
  example: { body: { current_password: 'correct horse battery' }, data: null },
  async handle({ store, account, body, unitOfWork }) {
    await deleteAccount(unitOfWork, store.id, account, body)
    return null
  },
})

/** Deletes an account after its owner has entered the password, and a code if there is a second factor. */
const deleteAccount = (
  unitOfWork: UnitOfWork,
  storeId: string,
  { type, id }: AccountCaller,
  body: Static<typeof ConfirmSecondFactorRequest>,
): Promise<void> =>
  reauthenticate(storeId, { type, id }, proofOf(body), (lock) =>
    unitOfWork.inStore(storeId, (tx) => DELETIONS[type](tx, id, () => lock(tx))),
  )

type Deletion = (tx: StoreTx, id: string, lock: () => Promise<unknown>) => Promise<void>

const DELETIONS: Record<AccountCaller['type'], Deletion> = {
  async customer(tx, id, lock) {
    await lock()
    await anonymizeCustomer(tx, id, OWN_BUSINESS)
  },
  async staff(tx, id, lock) {
    // Lock the roster first, as every change of staff does, because another sequence could deadlock.
    await lockRoster(tx)
    await lock()
    await leaveStore(tx, id, findIntegrations)
  },
}
