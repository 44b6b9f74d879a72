import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { hasRulesForGroup } from '#shared/catalog/prices/has-rules-for-group.ts'
import { CustomerGroupErrors } from '#shared/customers/errors.ts'
import { createCustomerGroup as create } from '#shared/customers/groups/create-customer-group.ts'
import {
  MAX_MOVED_CUSTOMERS,
  deleteCustomerGroup as remove,
} from '#shared/customers/groups/delete-customer-group.ts'
import {
  type CountedGroup,
  CUSTOMER_GROUPS,
  findCustomerGroup,
  listCustomerGroups as list,
} from '#shared/customers/groups/list-customer-groups.ts'
import { updateCustomerGroup as update } from '#shared/customers/groups/update-customer-group.ts'
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
  handle: ({ tx, query }) => list(tx, query),
})

export const createCustomerGroup = groups.create({
  summary: 'Create a customer group',
  body: CreateCustomerGroupRequest,
  example: { body: { name_i18n: example.name_i18n }, data: { ...example, customers_count: 0 } },
  handle: async ({ tx, body }) => findCustomerGroup(tx, (await create(tx, toCamelCase(body))).id),
})

export const readCustomerGroup = groups.read({
  summary: 'Read a customer group',
  handle: ({ tx, params }) => findCustomerGroup(tx, params.id),
})

export const updateCustomerGroup = groups.update({
  summary: 'Change a customer group',
  description: 'Making a group the default replaces the previous default. Customers stay in their groups.',
  body: UpdateCustomerGroupRequest,
  example: { body: { sort_order: 2 }, data: { ...example, sort_order: 2 } },
  async handle({ tx, params, body, ifMatch }) {
    await update(tx, params.id, toCamelCase(body), ifMatch)
    return findCustomerGroup(tx, params.id)
  },
})

export const deleteCustomerGroup = groups.delete({
  summary: 'Delete a customer group',
  description:
    `With \`move_to\` its customers, at most ${MAX_MOVED_CUSTOMERS}, move to that group first. The default group ` +
    'cannot be deleted.',
  query: DeleteGroupQuery,
  errors: [CustomerGroupErrors.inUse, CustomerGroupErrors.isDefault, CustomerGroupErrors.tooLarge],
  handle: ({ tx, params, query }) => inQuery(() => remove(tx, params.id, query.move_to, hasRulesForGroup)),
})
