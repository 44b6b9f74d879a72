import { Type } from 'typebox'
import { staff, staffInPerson } from '#api/platform/auth/access.ts'
import { refuseSupportFields } from '#api/platform/auth/assert-not-support.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { reply } from '#api/platform/output/reply.ts'
import { AS_CSV } from '#api/platform/output/send-csv.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { closeAccount } from '#shared/customer-records/close-account.ts'
import { readRecord } from '#shared/customer-records/read-record.ts'
import { CustomerRecordView, viewCustomerRecord } from '#shared/customer-records/view.ts'
import { createCustomer as create } from '#shared/customers/account/create-customer.ts'
import { resetCustomersTwoFactor as resetTwoFactor } from '#shared/customers/account/reset-customers-two-factor.ts'
import { updateCustomer as update } from '#shared/customers/account/update-customer.ts'
import type { Customer } from '#shared/customers/customer.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { exportCustomers } from '#shared/customers/export-customers.ts'
import { listCustomers as list } from '#shared/customers/list-customers.ts'
import { AdminCustomerView, viewAdminCustomer } from '#shared/customers/view.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { ApiTokenErrors } from '#shared/staff/errors.ts'
import { holds } from '#shared/staff/rights.ts'
import type { Store } from '#shared/stores/store.ts'
import {
  createdCustomerExample,
  customerRecordExample,
  customerExample as example,
  newCustomerExample,
} from './admin-examples.ts'
import {
  CreateCustomerRequest,
  CustomerListQuery,
  CustomerParams,
  UpdateCustomerRequest,
} from './admin-schemas.ts'
import { assertMayChangeEmail } from './assert-may-change-email.ts'
import { assertMayEndAccount, ENDS_AFFILIATE } from './assert-may-end-account.ts'
import { businessVisibleTo, NAMES_BY_RIGHTS } from './business-visible-to.ts'
import { toCustomerFilter } from './read-request.ts'

const customers = new Resource({
  path: '/admin/customers',
  audit: {
    resource: 'customers',
    list: 'getAdminCustomers',
    create: 'postAdminCustomers',
    update: 'patchAdminCustomersId',
    delete: 'deleteAdminCustomersId',
  },
  params: CustomerParams,
  reads: staff('customers:read'),
  writes: staff('customers:write'),
  returns: AdminCustomerView,
  view: (customer: Customer, { currency }: Store) => viewAdminCustomer(customer, currency),
  tag: entityTag,
  example,
})

/** Fields that change the customer's prices. A support session may not set them. */
const FORBIDDEN_TO_SUPPORT = ['customer_group_id', 'tax_exempt']

export const listCustomers = customers.list({
  summary: 'List customers, deactivated ones included',
  description:
    '`q` matches the beginnings of words; each word must match. The figures count orders that were paid, or are ' +
    '`processing`, `shipped` or `complete`; `total_spent` is less refunds. ' +
    AS_CSV,
  query: CustomerListQuery,
  handle: ({ tx, store, query }) =>
    list(
      tx,
      inQuery(() => toCustomerFilter(query, store.currency)),
    ),
  csv: ({ tx, store, query }) =>
    exportCustomers(
      tx,
      store.currency,
      inQuery(() => toCustomerFilter(query, store.currency)),
    ),
})

export const createCustomer = customers.create({
  summary: 'Create a customer',
  description:
    'With `send_invitation` a mail brings a link to choose a password, good for seven days, once. Without it the ' +
    'customer claims the account by POST /auth/password/forgot. No other mail is sent.',
  body: CreateCustomerRequest,
  errors: [AuthErrors.emailTaken, AuthErrors.supportForbidden],
  example: { body: newCustomerExample, data: createdCustomerExample },
  async handle({ tx, store, staff, body: { send_invitation: sendInvitation, ...body } }) {
    refuseSupportFields(staff, body, FORBIDDEN_TO_SUPPORT)
    return create(tx, store, toCamelCase(body), { sendInvitation })
  },
})

export const readCustomer = endpoint({
  method: 'get',
  path: '/admin/customers/:id',
  access: staff('customers:read'),
  audit: { action: 'getAdminCustomersId', resource: 'customers' },
  summary: 'Read a customer with addresses, open sessions and the latest orders',
  description:
    'Callers with `sales:read` also get the ten latest orders, returns, subscriptions and gift vouchers.',
  params: CustomerParams,
  returns: [200, CustomerRecordView],
  errors: [CommonErrors.notFound],
  example: { data: customerRecordExample },
  async handle({ tx, store, staff, params }) {
    const record = await readRecord(tx, params.id, { seesSales: holds(staff, ['sales:read']) })
    return reply(200, viewCustomerRecord(record, store.currency), { ETag: entityTag(record.customer) })
  },
})

export const updateCustomer = customers.update({
  recentSignIn: ['email'],
  summary: 'Change, deactivate or reactivate a customer',
  description:
    'Omitted fields keep their values. If `email` is another mailbox, all sessions close, mailed links and links to ' +
    'identity providers become invalid, the former address gets a mail, and the new one must be verified. The ' +
    'password and a second factor stay. Because the new mailbox opens the account, an API token can change `email` ' +
    'only of an account without a password whose address was never verified. For any other account, staff need the ' +
    'rights `sales:read` and `sales:write`; for an affiliate, also `reports:read` and `reports:write`. ' +
    '`is_active: false` signs the customer out even with open orders, returns or subscriptions; DELETE is refused ' +
    'then. The `ETag` changes with the figures too: after a 412, read the customer again.',
  body: UpdateCustomerRequest,
  errors: [
    AuthErrors.emailTaken,
    AuthErrors.supportForbidden,
    ApiTokenErrors.forbidden,
    CustomerErrors.anonymized,
  ],
  example: { body: { note: 'Calls in the evening' }, data: { ...example, note: 'Calls in the evening' } },
  async handle({ tx, store, staff, params: { id }, body, ifMatch }) {
    refuseSupportFields(staff, body, FORBIDDEN_TO_SUPPORT)
    if (body.email !== undefined) await assertMayChangeEmail(tx, staff, id, body.email)
    return update(tx, store, id, toCamelCase(body), ifMatch)
  },
})

export const deleteCustomer = customers.delete({
  summary: 'Deactivate a customer',
  description:
    'Closes all sessions and keeps the orders. Refused while an order is pending, processing or shipped, a return is ' +
    `open, a subscription is live or a commission is unpaid; the message names them. ${ENDS_AFFILIATE} ` +
    NAMES_BY_RIGHTS,
  errors: [AuthErrors.supportForbidden, CustomerErrors.hasOpenBusiness],
  async handle({ tx, staff, params: { id } }) {
    await assertMayEndAccount(tx, staff, id)
    await closeAccount(tx, id, businessVisibleTo(staff))
  },
})

export const resetCustomersTwoFactor = endpoint({
  method: 'post',
  path: '/admin/customers/:id/2fa/reset',
  access: staffInPerson('customers:write'),
  audit: { action: 'postAdminCustomersId2faReset', resource: 'customers' },
  recentSignIn: true,
  summary: 'Turn off two-factor sign-in for a customer who has lost the app and the recovery codes',
  description: 'All sessions close, and the customer is notified by mail.',
  params: CustomerParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, AuthErrors.totpNotEnabled],
  example: { data: null },
  async handle({ tx, params }) {
    await resetTwoFactor(tx, params.id)
    return null
  },
})
