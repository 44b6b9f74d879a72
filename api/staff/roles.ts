import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { changeRole as change } from '#shared/staff/change-role.ts'
import { createRole as create } from '#shared/staff/create-role.ts'
import { deleteRole as remove } from '#shared/staff/delete-role.ts'
import { RoleErrors, StaffErrors } from '#shared/staff/errors.ts'
import { findOwnRole, listOwnRoles } from '#shared/staff/find-role.ts'
import type { Role } from '#shared/staff/role.ts'
import { presetViews, RoleView, viewPreset, viewRole } from '#shared/staff/role-view.ts'
import { isPreset } from '#shared/staff/roles.ts'
import { staffPerson } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { reply } from '../platform/reply.ts'
import { roleExample as example } from './examples.ts'
import { ChangeRoleRequest, CreateRoleRequest, RoleParams } from './schemas.ts'

const tagged = (status: number, role: Role) => reply(status, viewRole(role), { ETag: entityTag(role) })

export const listRoles = endpoint({
  method: 'get',
  path: '/admin/roles',
  access: staffPerson('users:read'),
  summary: 'List the roles: the presets, then those of your own making',
  returns: [200, Type.Array(RoleView)],
  example: { data: [example] },
  async handle({ tx }) {
    return [...presetViews(), ...(await listOwnRoles(tx)).map(viewRole)]
  },
})

export const createRole = endpoint({
  method: 'post',
  path: '/admin/roles',
  access: staffPerson('users:write'),
  summary: 'Make a role of your own',
  description: 'It can hold no right that you do not hold. Give it to someone by its name.',
  body: CreateRoleRequest,
  returns: [201, RoleView],
  errors: [RoleErrors.nameTaken, RoleErrors.tooMany, StaffErrors.privilegeEscalation],
  example: { body: { name: example.name, rights: example.rights }, data: example },
  async handle({ tx, staff, body }) {
    return tagged(201, await create(tx, staff.id, body))
  },
})

export const readRole = endpoint({
  method: 'get',
  path: '/admin/roles/:role_id',
  access: staffPerson('users:read'),
  summary: 'Read a role',
  params: RoleParams,
  returns: [200, RoleView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params: { role_id } }) {
    return isPreset(role_id) ? viewPreset(role_id) : tagged(200, await findOwnRole(tx, role_id))
  },
})

export const changeRole = endpoint({
  method: 'patch',
  path: '/admin/roles/:role_id',
  access: staffPerson('users:write'),
  summary: 'Change a role of your own making',
  description:
    'From their next request on it holds for all who have the role. `rights` replaces the whole set. Nobody changes a ' +
    'role that holds more than they do.',
  params: RoleParams,
  body: ChangeRoleRequest,
  returns: [200, RoleView],
  errors: [
    CommonErrors.notFound,
    CommonErrors.changed,
    RoleErrors.nameTaken,
    RoleErrors.presetProtected,
    StaffErrors.privilegeEscalation,
    StaffErrors.lastAdmin,
  ],
  example: { body: { rights: example.rights }, data: example },
  async handle({ tx, staff, params, body, request }) {
    return tagged(200, await change(tx, staff.id, params.role_id, body, request.headers['if-match']))
  },
})

export const deleteRole = endpoint({
  method: 'delete',
  path: '/admin/roles/:role_id',
  access: staffPerson('users:write'),
  summary: 'Delete a role of your own making that nobody has',
  params: RoleParams,
  returns: [200, Type.Null()],
  errors: [
    CommonErrors.notFound,
    RoleErrors.inUse,
    RoleErrors.presetProtected,
    StaffErrors.privilegeEscalation,
  ],
  example: { data: null },
  async handle({ tx, staff, params }) {
    await remove(tx, staff.id, params.role_id)
    return null
  },
})
