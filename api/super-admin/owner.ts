import { Type } from 'typebox'
import { deviceOf } from '#api/accounts/caller.ts'
import { superAdminOfStore } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { ownerExample } from '#api/stores/super-admin-examples.ts'
import { StoreParams } from '#api/stores/super-admin-schemas.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { resetOwnersTwoFactor } from '#shared/staff/reset-two-factor.ts'
import { StaffMemberView, viewStaffMember } from '#shared/staff/staff-member.ts'
import { transferOwnership } from '#shared/staff/transfer-ownership.ts'
import { OwnerBody } from './schemas.ts'

export const giveStoreAway = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/owner',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdOwner', resource: 'owner' },
  summary: 'Make another member of the staff the owner of a store',
  description: 'For when the owner cannot. Who was it stays as an administrator.',
  params: StoreParams,
  body: OwnerBody,
  returns: [200, StaffMemberView],
  example: { body: { user_id: ownerExample.id }, data: ownerExample },
  async handle({ tx, body }) {
    return viewStaffMember(await transferOwnership(tx, body.user_id))
  },
})

export const resetTwoFactorOfOwner = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/owner/2fa/reset',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdOwner2faReset', resource: 'stores' },
  summary: "Switch two-factor sign-in off for a store's owner, who has lost app and recovery codes",
  description: 'Make sure who asks. All sessions of the owner close, and a mail tells of it.',
  params: StoreParams,
  returns: [200, Type.Null()],
  errors: [AuthErrors.totpNotEnabled],
  example: { data: null },
  async handle({ tx, request }) {
    await resetOwnersTwoFactor(tx, deviceOf(request))
    return null
  },
})
