import { Type } from 'typebox'
import { deviceOf } from '#api/accounts/caller.ts'
import { staffInPerson } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/read-fields.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { unlinkAccount } from '#shared/identity-providers/identity-link.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { randomToken } from '#shared/platform/secrets/crypto.ts'
import { changeStaffMember } from '#shared/staff/change-staff-member.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { listStaff } from '#shared/staff/list-staff.ts'
import { removeStaffMember } from '#shared/staff/remove-staff-member.ts'
import { resetTwoFactor } from '#shared/staff/reset-two-factor.ts'
import { revokeStaffSessions } from '#shared/staff/revoke-sessions.ts'
import { findStaffMember, StaffMemberView, viewStaffMember } from '#shared/staff/staff-member.ts'
import { createStaffMember } from './create-staff-member.ts'
import { userExample as example } from './examples.ts'
import { ChangeUserRequest, CreateUserRequest, UserListQuery, UserParams } from './schemas.ts'

const users = new Resource({
  path: '/admin/users',
  audit: { resource: 'users', change: 'patchAdminUsersUserId', remove: 'deleteAdminUsersUserId' },
  params: UserParams,
  reads: staffInPerson('users:read'),
  writes: staffInPerson('users:write'),
  returns: StaffMemberView,
  view: viewStaffMember,
  tag: entityTag,
  example,
})

export const listUsers = users.list({
  summary: 'List the staff of the store',
  description: '`q` is a part of a name or e-mail address.',
  query: UserListQuery,
  handle: ({ tx, query }) => listStaff(tx, query),
})

export const createUser = endpoint({
  method: 'post',
  path: '/admin/users',
  access: staffInPerson('users:write'),
  audit: { action: 'postAdminUsers', resource: 'users' },
  ...takesPassword,
  summary: 'Take someone on as staff',
  description:
    'Without `password` they are mailed a link to choose one with, good for seven days, once. The address may belong to nobody on the staff of any store. The role holds no right that you do not hold. A ' +
    'repeat is told `auth.email_taken`.',
  body: CreateUserRequest,
  returns: [201, StaffMemberView],
  errors: [AuthErrors.emailTaken, StaffErrors.ownerProtected, StaffErrors.privilegeEscalation],
  example: {
    body: {
      email: example.email,
      firstname: example.firstname,
      lastname: example.lastname,
      role: example.role,
    },
    data: example,
  },
  async handle({ staff, body, unitOfWork, ...call }) {
    // Hash before the transaction, so that no connection waits for it. Without a chosen password, a random one is hashed.
    const passwordHash = await hashPassword(body.password ?? randomToken())
    return unitOfWork.inStore(call.store.id, async (tx) =>
      users.respond(201, await createStaffMember(tx, staff.id, body, passwordHash), call),
    )
  },
})

export const readUser = users.read({
  summary: 'Read a member of the staff',
  handle: ({ tx, params }) => findStaffMember(tx, params.user_id),
})

const guards = [StaffErrors.ownerProtected, StaffErrors.lastAdmin, StaffErrors.privilegeEscalation]

export const changeUser = users.change({
  summary: 'Change a member of the staff, or switch the account off or on',
  description:
    'Nobody changes someone who holds more rights than they do, nor gives a role that does. The owner is changed by ' +
    'the owner alone. One active account with all rights remains. Your own address is changed by POST /auth/email. ' +
    'With another mailbox, nobody who was linked at an identity provider signs in to the account any more.',
  body: ChangeUserRequest,
  errors: [AuthErrors.emailTaken, StaffErrors.ownEmail, ...guards],
  example: { body: { role: 'accounting' }, data: { ...example, role: 'accounting' } },
  async handle({ tx, staff, params: { user_id: id }, body, ifMatch, request }) {
    const by = { ifMatch, device: deviceOf(request) }
    const { member, hasMoved } = await changeStaffMember(tx, staff.id, id, toCamelCase(body), by)
    if (hasMoved) await unlinkAccount(tx, { type: 'staff', id })
    return member
  },
})

export const deleteUser = users.remove({
  summary: 'Remove a member of the staff',
  description:
    'All their sessions close, nobody at an identity provider signs in to the account any more, the address is free ' +
    'again, and API tokens that the member made are taken no more.',
  errors: guards,
  async handle({ tx, staff, params: { user_id: id } }) {
    await removeStaffMember(tx, staff.id, id)
    await unlinkAccount(tx, { type: 'staff', id })
    return null
  },
})

export const revokeUserSessions = endpoint({
  method: 'post',
  path: '/admin/users/:user_id/sessions/revoke',
  access: staffInPerson('users:write'),
  audit: { action: 'postAdminUsersUserIdSessionsRevoke', resource: 'users' },
  summary: 'Sign a member of the staff out everywhere',
  params: UserParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, StaffErrors.ownerProtected, StaffErrors.privilegeEscalation],
  example: { data: null },
  async handle({ tx, staff, params, request }) {
    await revokeStaffSessions(tx, staff.id, params.user_id, deviceOf(request))
    return null
  },
})

export const resetUsersTwoFactor = endpoint({
  method: 'post',
  path: '/admin/users/:user_id/2fa/reset',
  access: staffInPerson('users:write'),
  audit: { action: 'postAdminUsersUserId2faReset', resource: 'users' },
  summary: "Switch another member's two-factor sign-in off, who has lost app and recovery codes",
  description:
    'All their sessions close, and a mail tells them. The owner is helped by whoever runs the platform alone.',
  params: UserParams,
  returns: [200, Type.Null()],
  errors: [
    CommonErrors.notFound,
    AuthErrors.totpNotEnabled,
    StaffErrors.ownTwoFactor,
    StaffErrors.ownerProtected,
    StaffErrors.privilegeEscalation,
  ],
  example: { data: null },
  async handle({ tx, staff, params, request }) {
    await resetTwoFactor(tx, staff.id, params.user_id, deviceOf(request))
    return null
  },
})
