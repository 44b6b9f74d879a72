import { Type } from 'typebox'
import { AuthErrors } from '#shared/accounts/errors.ts'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { changeStaffMember } from '#shared/staff/change-staff-member.ts'
import { StaffErrors } from '#shared/staff/errors.ts'
import { findStaffMember } from '#shared/staff/find-staff-member.ts'
import { listStaff } from '#shared/staff/list-staff.ts'
import { removeStaffMember } from '#shared/staff/remove-staff-member.ts'
import { revokeStaffSessions } from '#shared/staff/revoke-sessions.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { StaffMemberView, viewStaffMember } from '#shared/staff/view.ts'
import { staffPerson } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { userExample as example } from './examples.ts'
import { ChangeUserRequest, CreateUserRequest, UserListQuery, UserParams } from './schemas.ts'
import { takeOn } from './take-on.ts'

const tagged = (status: number, member: StaffMember) =>
  reply(status, viewStaffMember(member), { ETag: entityTag(member) })

export const listUsers = endpoint({
  method: 'get',
  path: '/admin/users',
  access: staffPerson('users:read'),
  summary: 'List the staff of the store',
  description: '`q` is a part of a name or e-mail address.',
  query: UserListQuery,
  returns: [200, Type.Array(StaffMemberView)],
  paginated: true,
  example: { data: [example] },
  async handle({ tx, query }) {
    const { results, total } = await listStaff(tx, query)
    return page(results.map(viewStaffMember), total, query)
  },
})

export const createUser = endpoint({
  method: 'post',
  path: '/admin/users',
  access: staffPerson('users:write'),
  // The slow hash comes before its transaction, and an Idempotency-Key's record would keep a quick hash of the body.
  transaction: 'own',
  idempotency: 'none',
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
  async handle({ store, staff, body, audited }) {
    return tagged(201, await takeOn(store.id, staff.id, body, audited))
  },
})

export const readUser = endpoint({
  method: 'get',
  path: '/admin/users/:user_id',
  access: staffPerson('users:read'),
  summary: 'Read a member of the staff',
  params: UserParams,
  returns: [200, StaffMemberView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    return tagged(200, await findStaffMember(tx, params.user_id))
  },
})

const guards = [StaffErrors.ownerProtected, StaffErrors.lastAdmin, StaffErrors.privilegeEscalation]

export const changeUser = endpoint({
  method: 'patch',
  path: '/admin/users/:user_id',
  access: staffPerson('users:write'),
  summary: 'Change a member of the staff, or switch the account off or on',
  description:
    'Nobody changes someone who holds more rights than they do, nor gives a role that does. The owner is changed by ' +
    'the owner alone. One active account with all rights remains.',
  params: UserParams,
  body: ChangeUserRequest,
  returns: [200, StaffMemberView],
  errors: [CommonErrors.notFound, CommonErrors.changed, AuthErrors.emailTaken, ...guards],
  example: { body: { role: 'accounting' }, data: { ...example, role: 'accounting' } },
  async handle({ tx, staff, params, body, request }) {
    const { is_active: isActive, ...rest } = body
    const change = isActive === undefined ? rest : { ...rest, isActive }
    return tagged(
      200,
      await changeStaffMember(tx, staff.id, params.user_id, change, request.headers['if-match']),
    )
  },
})

export const deleteUser = endpoint({
  method: 'delete',
  path: '/admin/users/:user_id',
  access: staffPerson('users:write'),
  summary: 'Remove a member of the staff',
  description:
    'All their sessions close, and the address is free again. API tokens belong to the store: those that the member ' +
    'made stay until they are revoked.',
  params: UserParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, ...guards],
  example: { data: null },
  async handle({ tx, staff, params }) {
    await removeStaffMember(tx, staff.id, params.user_id)
    return null
  },
})

export const revokeUserSessions = endpoint({
  method: 'post',
  path: '/admin/users/:user_id/sessions/revoke',
  access: staffPerson('users:write'),
  summary: 'Sign a member of the staff out everywhere',
  params: UserParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, StaffErrors.ownerProtected, StaffErrors.privilegeEscalation],
  example: { data: null },
  async handle({ tx, staff, params }) {
    await revokeStaffSessions(tx, staff.id, params.user_id)
    return null
  },
})
