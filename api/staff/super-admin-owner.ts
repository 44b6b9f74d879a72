import { Type } from 'typebox'
import { deviceOf } from '#api/identity/request.ts'
import { superAdminOfStore } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { ownerExample } from '#api/stores/super-admin-examples.ts'
import { StoreParams } from '#api/stores/super-admin-schemas.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { deactivateStaffIdentityProviders } from '#shared/identity-providers/deactivate-staff-identity-providers.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { resetOwnersTwoFactor } from '#shared/staff/members/reset-two-factor.ts'
import {
  OwnershipTransferView,
  viewOwnershipTransfer,
} from '#shared/staff/ownership/ownership-transfer-view.ts'
import { transferOwnership } from '#shared/staff/ownership/transfer-ownership.ts'
import { ENDED_BY_TRANSFER, endedExample, PROVEN_SUCCESSOR } from './ownership-transfer-docs.ts'
import { ChangeOwnerRequest } from './schemas.ts'

export const transferStoreOwnership = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/owner',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdOwner', resource: 'owner' },
  recentSignIn: true,
  summary: 'Make another member of the staff the owner of a store',
  description:
    'For a store whose owner cannot transfer it. The former owner becomes an administrator. ' +
    `${PROVEN_SUCCESSOR} ${ENDED_BY_TRANSFER} Both are notified by mail.`,
  params: StoreParams,
  body: ChangeOwnerRequest,
  returns: [200, OwnershipTransferView],
  errors: [StaffErrors.emailUnproven, StaffErrors.emailTaken],
  example: { body: { user_id: ownerExample.id }, data: { ...ownerExample, ...endedExample } },
  async handle({ tx, superAdmin, body }) {
    const request = { successorId: body.user_id, superAdmin: superAdmin.email }
    return viewOwnershipTransfer(
      await transferOwnership(tx, { ...request, deactivateProviders: deactivateStaffIdentityProviders }),
    )
  },
})

export const resetTwoFactorOfOwner = endpoint({
  method: 'post',
  path: '/super-admin/stores/:id/owner/2fa/reset',
  access: superAdminOfStore,
  audit: { action: 'postSuperAdminStoresIdOwner2faReset', resource: 'stores' },
  recentSignIn: true,
  summary: 'Turn off two-factor sign-in for an owner who has lost the app and the recovery codes',
  description:
    'Verify the identity of the owner first. All sessions of the owner close, and the owner is notified by mail.',
  params: StoreParams,
  returns: [200, Type.Null()],
  errors: [AuthErrors.totpNotEnabled],
  example: { data: null },
  async handle({ tx, request }) {
    await resetOwnersTwoFactor(tx, deviceOf(request))
    return null
  },
})
