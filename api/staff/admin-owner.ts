import { staffInPerson } from '#api/platform/auth/access.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { CREDENTIAL_ERRORS } from '#shared/identity/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { OwnershipTransferView } from '#shared/staff/ownership/ownership-transfer-view.ts'
import { findOwner, StaffMemberView, viewStaffMember } from '#shared/staff/staff-member.ts'
import { userExample } from './examples.ts'
import { ENDED_BY_TRANSFER, endedExample, PROVEN_SUCCESSOR } from './ownership-transfer-docs.ts'
import { TransferOwnershipRequest } from './schemas.ts'
import { transferOwnershipByPassword } from './transfer-ownership.ts'

const ownerExample = { ...userExample, role: 'owner', is_owner: true }

export const readOwner = endpoint({
  method: 'get',
  path: '/admin/owner',
  access: staffInPerson('users:read'),
  audit: { action: 'getAdminOwner', resource: 'owner' },
  summary: 'Read who owns the store',
  returns: [200, StaffMemberView],
  errors: [CommonErrors.notFound],
  example: { data: ownerExample },
  async handle({ tx }) {
    const owner = await findOwner(tx)
    return reply(200, viewStaffMember(owner), { ETag: entityTag(owner) })
  },
})

export const transferOwner = endpoint({
  method: 'post',
  path: '/admin/owner/transfer',
  access: staffInPerson(),
  audit: { action: 'postAdminOwnerTransfer', resource: 'owner' },
  limits: [limits.admin, limits.codes],
  ...takesPassword,
  summary: 'Make someone else the owner of the store',
  description:
    'Only the owner can, with the password, and with two-factor sign-in a `totp_code` or a `recovery_code`. The ' +
    `former owner becomes an administrator. ${PROVEN_SUCCESSOR} ${ENDED_BY_TRANSFER} Both are notified by mail. ` +
    'Returns the new owner.',
  body: TransferOwnershipRequest,
  returns: [200, OwnershipTransferView],
  errors: [...CREDENTIAL_ERRORS, CommonErrors.notFound, StaffErrors.ownerOnly, StaffErrors.emailUnproven],
  example: {
    body: { user_id: userExample.id, current_password: 'correct horse battery' },
    data: { ...ownerExample, ...endedExample },
  },
  async handle({ store, staff, body, unitOfWork }) {
    return transferOwnershipByPassword(unitOfWork, store.id, staff, body)
  },
})
