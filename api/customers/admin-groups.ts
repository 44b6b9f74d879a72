import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { hasRulesForGroup } from '#shared/catalog/prices/has-rules-for-group.ts'
import { CustomerGroupErrors } from '#shared/customers/errors.ts'
import { createGroup } from '#shared/customers/groups/create-group.ts'
import { deleteGroup, MAX_MOVED_CUSTOMERS } from '#shared/customers/groups/delete-group.ts'
import {
  type CountedGroup,
  CUSTOMER_GROUPS,
  findGroup,
  listGroups,
} from '#shared/customers/groups/list-groups.ts'
import { updateGroup } from '#shared/customers/groups/update-group.ts'
import { CustomerGroupView, viewCustomerGroup } from '#shared/customers/groups/view.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { groupExample as example } from './admin-examples.ts'
import {
  CreateCustomerGroupRequest,
  CustomerGroupParams,
  DeleteGroupQuery,
  UpdateCustomerGroupRequest,
} from './admin-schemas.ts'

const groups = new Resource({
  path: '/admin/customer-groups',
  audit: {
    resource: 'customer-groups',
    create: 'postAdminCustomerGroups',
    update: 'patchAdminCustomerGroupsId',
    delete: 'deleteAdminCustomerGroupsId',
  },
  params: CustomerGroupParams,
  reads: staff('customers:read'),
  // A group decides prices and tax.
  writes: staffNotSupport('customers:write'),
  returns: CustomerGroupView,
  view: viewCustomerGroup,
  tag: ({ group }: CountedGroup) => entityTag(group),
  example,
})

export const listCustomerGroups = groups.list({
  summary: 'List the customer groups',
  description: 'By `sort_order`. Every store has a default group, which new customers enter.',
  query: listQuery(CUSTOMER_GROUPS),
  handle: ({ tx, query }) => listGroups(tx, query),
})

export const createCustomerGroup = groups.create({
  summary: 'Create a customer group',
  body: CreateCustomerGroupRequest,
  example: { body: { name_i18n: example.name_i18n }, data: { ...example, customers_count: 0 } },
  handle: async ({ tx, body }) => findGroup(tx, (await createGroup(tx, toCamelCase(body))).id),
})

export const readCustomerGroup = groups.read({
  summary: 'Read a customer group',
  handle: ({ tx, params }) => findGroup(tx, params.id),
})

export const updateCustomerGroup = groups.update({
  summary: 'Change a customer group',
  description: 'Making a group the default replaces the previous default. Customers stay in their groups.',
  body: UpdateCustomerGroupRequest,
  example: { body: { sort_order: 2 }, data: { ...example, sort_order: 2 } },
  async handle({ tx, params, body, ifMatch }) {
    await updateGroup(tx, params.id, toCamelCase(body), ifMatch)
    return findGroup(tx, params.id)
  },
})

export const deleteCustomerGroup = groups.delete({
  summary: 'Delete a customer group',
  description:
    `With \`move_to\` its customers, at most ${MAX_MOVED_CUSTOMERS}, move to that group first. The default group ` +
    'cannot be deleted.',
  query: DeleteGroupQuery,
  errors: [CustomerGroupErrors.inUse, CustomerGroupErrors.isDefault, CustomerGroupErrors.tooLarge],
  handle: ({ tx, params, query }) =>
    inQuery(() => deleteGroup(tx, params.id, query.move_to, hasRulesForGroup)),
})
