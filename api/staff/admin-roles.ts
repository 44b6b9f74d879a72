import { Type } from 'typebox'
import { staffInPerson } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { findIntegrations } from '#shared/integrations/find-integrations.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { RoleErrors, StaffErrors } from '#shared/staff/errors.ts'
import { isPreset } from '#shared/staff/rights.ts'
import { findCustomRole, RoleView, viewPreset, viewRole } from '#shared/staff/role.ts'
import { createRole as create } from '#shared/staff/roles/create-role.ts'
import { deleteRole as remove } from '#shared/staff/roles/delete-role.ts'
import { listRoles as list, ROLES } from '#shared/staff/roles/list-roles.ts'
import { updateRole as update } from '#shared/staff/roles/update-role.ts'
import { roleExample as example } from './examples.ts'
import { CreateRoleRequest, RoleParams, UpdateRoleRequest } from './schemas.ts'

const roles = new Resource({
  path: '/admin/roles',
  audit: {
    resource: 'roles',
    create: 'postAdminRoles',
    update: 'patchAdminRolesRoleId',
    delete: 'deleteAdminRolesRoleId',
  },
  params: RoleParams,
  reads: staffInPerson('users:read'),
  writes: staffInPerson('users:write'),
  returns: RoleView,
  view: viewRole,
  tag: entityTag,
  example,
})

export const listRoles = endpoint({
  method: 'get',
  path: '/admin/roles',
  access: staffInPerson('users:read'),
  paginated: true,
  summary: 'List the roles: the presets, then custom roles',
  query: listQuery(ROLES),
  returns: [200, Type.Array(RoleView)],
  example: { data: [example] },
  async handle({ tx, query }) {
    return page(await list(tx, query), query)
  },
})

export const createRole = roles.create({
  recentSignIn: true,
  summary: 'Create a custom role',
  description: 'It can contain only rights that you have. Assign it to a member by its name.',
  body: CreateRoleRequest,
  errors: [RoleErrors.nameTaken, RoleErrors.limitReached, StaffErrors.privilegeEscalation],
  example: { body: { name: example.name, rights: example.rights } },
  handle: ({ tx, staff, body }) => create(tx, staff.id, body),
})

export const readRole = endpoint({
  method: 'get',
  path: '/admin/roles/:role_id',
  access: staffInPerson('users:read'),
  summary: 'Read a role',
  params: RoleParams,
  returns: [200, RoleView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params: { role_id }, ...call }) {
    return isPreset(role_id)
      ? viewPreset(role_id)
      : roles.replyWith(200, await findCustomRole(tx, role_id), call)
  },
})

export const updateRole = roles.update({
  recentSignIn: true,
  summary: 'Change a custom role',
  description:
    'It applies from the next request of each member with the role. `rights` replaces the whole set. You can change ' +
    'only roles whose rights you hold. If you remove rights, the owner and you get a mail that lists the ' +
    'integrations that members created and may no longer create. These stay (see DELETE /admin/users/{user_id}).',
  body: UpdateRoleRequest,
  errors: [
    RoleErrors.nameTaken,
    RoleErrors.presetProtected,
    StaffErrors.privilegeEscalation,
    StaffErrors.lastAdmin,
  ],
  example: { body: { rights: example.rights } },
  handle: ({ tx, staff, params, body, ifMatch }) =>
    update(tx, staff.id, params.role_id, body, { ifMatch, findIntegrations }),
})

export const deleteRole = roles.delete({
  recentSignIn: true,
  summary: 'Delete a custom role without members',
  errors: [RoleErrors.inUse, RoleErrors.presetProtected, StaffErrors.privilegeEscalation],
  handle: ({ tx, staff, params }) => remove(tx, staff.id, params.role_id),
})
