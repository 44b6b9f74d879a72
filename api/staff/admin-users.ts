import { Type } from 'typebox'
import { deviceOf } from '#api/identity/request.ts'
import { staffInPerson } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { takesPassword } from '#api/platform/input/takes-password.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { callerByAccount } from '#shared/identity/passwords/hash-caller.ts'
import { hashChosenPassword } from '#shared/identity/passwords/password.ts'
import { findIntegrations } from '#shared/integrations/find-integrations.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { createStaffMember } from '#shared/staff/members/create-staff-member.ts'
import { deleteStaffMember } from '#shared/staff/members/delete-staff-member.ts'
import { listStaffMembers } from '#shared/staff/members/list-staff-members.ts'
import { resetTwoFactor } from '#shared/staff/members/reset-two-factor.ts'
import { revokeStaffSessions } from '#shared/staff/members/revoke-staff-sessions.ts'
import { updateStaffMember } from '#shared/staff/members/update-staff-member.ts'
import { findStaffMember, StaffMemberView, viewStaffMember } from '#shared/staff/staff-member.ts'
import { userExample as example } from './examples.ts'
import { CreateUserRequest, UpdateUserRequest, UserListQuery, UserParams } from './schemas.ts'

const users = new Resource({
  path: '/admin/users',
  audit: {
    resource: 'users',
    list: 'getAdminUsers',
    read: 'getAdminUsersUserId',
    update: 'patchAdminUsersUserId',
    delete: 'deleteAdminUsersUserId',
  },
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
  handle: ({ tx, query }) => listStaffMembers(tx, query),
})

export const createUser = endpoint({
  method: 'post',
  path: '/admin/users',
  access: staffInPerson('users:write'),
  audit: { action: 'postAdminUsers', resource: 'users' },
  ...takesPassword,
  recentSignIn: true,
  summary: 'Create a staff account',
  description:
    'Without `password` the member is mailed a link to choose one, which works once and for seven days; otherwise a ' +
    'notice that this address is on the staff. Both say how to leave (POST /auth/me/delete). The address ' +
    'must be unique among the active staff of all open stores and the owners of closed ones. The role can have only ' +
    'rights that you hold. A repeat returns `auth.email_taken`. A store can give its staff at most 100 addresses a ' +
    'day, by new accounts and by changes of addresses.',
  body: CreateUserRequest,
  returns: [201, StaffMemberView],
  errors: [StaffErrors.emailTaken, StaffErrors.ownerProtected, StaffErrors.privilegeEscalation],
  example: {
    body: {
      email: example.email,
      firstname: example.firstname,
      lastname: example.lastname,
      role: example.role,
    },
    data: example,
  },
  async handle({ staff, body: { password, ...draft }, unitOfWork, ...call }) {
    // Hash before the transaction, so that no connection waits for it.
    const passwordHash = await hashChosenPassword(password, callerByAccount(call.store.id, staff.id))
    return unitOfWork.inStore(call.store.id, async (tx) =>
      users.replyWith(
        201,
        await createStaffMember(tx, staff.id, { ...draft, passwordHash }, { sendsInvitation: !password }),
        call,
      ),
    )
  },
})

export const readUser = users.read({
  summary: 'Read a member of the staff',
  handle: ({ tx, params }) => findStaffMember(tx, params.user_id),
})

const MEMBER_ERRORS = [StaffErrors.ownerProtected, StaffErrors.lastAdmin, StaffErrors.privilegeEscalation]

export const updateUser = users.update({
  recentSignIn: true,
  summary: 'Change a member of the staff, or switch the account off or on',
  description:
    'You can change only members whose rights you hold, and assign only roles whose rights you hold. Only the owner ' +
    'changes the owner. One active account with all rights must remain. Change your own address by POST /auth/email. ' +
    'An account that is switched off frees its address: it cannot be switched on while another account has it. ' +
    'Its sessions, API tokens and links to identity providers end for good. A change to another mailbox closes all ' +
    'sessions and removes the links of the account to identity providers; both addresses get a mail. The password, ' +
    'the second factor and API tokens stay: if the former address was of another person, delete the account and ' +
    'create another. After the change, a new password by a mailed link turns two-factor sign-in off. When you switch ' +
    'off an account, or take rights by another role, the owner and you get a mail that lists the integrations of the ' +
    'member. These stay (see DELETE /admin/users/{user_id}).',
  body: UpdateUserRequest,
  errors: [StaffErrors.emailTaken, StaffErrors.ownEmail, ...MEMBER_ERRORS],
  example: { body: { role: 'accounting' }, data: { ...example, role: 'accounting' } },
  handle({ tx, staff, params, body, ifMatch, request }) {
    const options = { ifMatch, device: deviceOf(request), findIntegrations }
    return updateStaffMember(tx, staff.id, params.user_id, toCamelCase(body), options)
  },
})

export const deleteUser = users.delete({
  recentSignIn: true,
  summary: 'Remove a member of the staff',
  description:
    'All sessions of the member close. Links to identity providers are removed, API tokens of the member become ' +
    'invalid, and the address is free again. Webhooks, identity providers, publishable keys, domains and ' +
    'the external catalog stay: the owner and you get a mail that lists those that the member created ' +
    '(`created_by`).',
  errors: MEMBER_ERRORS,
  async handle({ tx, staff, params }) {
    await deleteStaffMember(tx, staff.id, params.user_id, findIntegrations)
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
  recentSignIn: true,
  summary: 'Turn off two-factor sign-in for a member who has lost the app and the recovery codes',
  description:
    'All sessions of the member close, and the member is notified by mail. Only a super-admin can do this for the ' +
    'owner.',
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
