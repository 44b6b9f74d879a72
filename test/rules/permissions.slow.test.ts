import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { newId } from '#shared/platform/db/id.ts'
import { PRESET_ROLES, RIGHTS, type Right, refusalOf, rightsOf } from '#shared/staff/rights.ts'
import { buildApiToken, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { type ApiResponse, request } from '#test/support/processes/app.ts'

/**
 * The rights that each admin operation requires. A change of them changes permissions in every store, so they are
 * declared twice: at the operation and here. "in person" refuses API tokens. An operation without a right has its own
 * rule.
 */
const REQUIRED: Record<string, string> = {
  'GET /admin/affiliates': 'marketing:read',
  'POST /admin/affiliates': 'marketing:write',
  'GET /admin/affiliates/:id': 'marketing:read',
  'PATCH /admin/affiliates/:id': 'marketing:write',
  'DELETE /admin/affiliates/:id': 'marketing:write',
  'GET /admin/affiliates/:id/commissions': 'marketing:read',
  'POST /admin/affiliates/:id/payouts': 'marketing:write',
  'GET /admin/api-tokens': 'users:read, in person',
  'POST /admin/api-tokens': 'users:write, in person',
  'GET /admin/api-tokens/:token_id': 'users:read, in person',
  'PATCH /admin/api-tokens/:token_id': 'users:write, in person',
  'DELETE /admin/api-tokens/:token_id': 'users:write, in person',

  'GET /admin/attribute-groups': 'catalog:read',
  'POST /admin/attribute-groups': 'catalog:write',
  'GET /admin/attribute-groups/:group_id': 'catalog:read',
  'PATCH /admin/attribute-groups/:group_id': 'catalog:write',
  'DELETE /admin/attribute-groups/:group_id': 'catalog:write',

  'GET /admin/attributes': 'catalog:read',
  'POST /admin/attributes': 'catalog:write',
  'GET /admin/attributes/:attribute_id': 'catalog:read',
  'PATCH /admin/attributes/:attribute_id': 'catalog:write',
  'DELETE /admin/attributes/:attribute_id': 'catalog:write',

  'GET /admin/audit-log': 'system:read',

  'GET /admin/catalog-jobs': 'catalog:read',
  'GET /admin/catalog-jobs/:id': 'catalog:read',
  'GET /admin/products/export': 'catalog:read',

  'GET /admin/campaigns': 'marketing:read',
  'POST /admin/campaigns': 'marketing:write',
  'GET /admin/campaigns/:id': 'marketing:read',
  'GET /admin/campaigns/:id/stats': 'marketing:read',
  'PATCH /admin/campaigns/:id': 'marketing:write',
  'DELETE /admin/campaigns/:id': 'marketing:write',
  'GET /admin/categories': 'catalog:read',
  'POST /admin/categories': 'catalog:write',
  'GET /admin/categories/:category_id': 'catalog:read',
  'PATCH /admin/categories/:category_id': 'catalog:write',
  'DELETE /admin/categories/:category_id': 'catalog:write',

  'GET /admin/coupons': 'marketing:read',
  'POST /admin/coupons': 'marketing:write',
  'GET /admin/coupons/:coupon_id': 'marketing:read',
  'PATCH /admin/coupons/:coupon_id': 'marketing:write',
  'DELETE /admin/coupons/:coupon_id': 'marketing:write',
  'GET /admin/coupons/:coupon_id/uses': 'marketing:read',

  'GET /admin/customer-groups': 'customers:read',
  'POST /admin/customer-groups': 'customers:write',
  'GET /admin/customer-groups/:id': 'customers:read',
  'PATCH /admin/customer-groups/:id': 'customers:write',
  'DELETE /admin/customer-groups/:id': 'customers:write',

  'GET /admin/customer-imports': 'customers:read',
  'GET /admin/customer-imports/:id': 'customers:read',
  'GET /admin/customers': 'customers:read',
  'POST /admin/customers': 'customers:write',
  'GET /admin/customers/:id': 'customers:read',
  'PATCH /admin/customers/:id': 'customers:write',
  'DELETE /admin/customers/:id': 'customers:write',
  'POST /admin/customers/import': 'customers:write',
  'POST /admin/customers/:id/anonymize': 'customers:write',
  'GET /admin/customers/:id/export': 'customers:read, sales:read',
  'POST /admin/customers/:id/2fa/reset': 'customers:write, in person',

  'GET /admin/domains': 'system:read',
  'POST /admin/domains':
    'system:write, customers:write, sales:read, sales:write, reports:read, reports:write, in person',
  'GET /admin/domains/:domain_id': 'system:read',
  'DELETE /admin/domains/:domain_id':
    'system:write, customers:write, sales:read, sales:write, reports:read, reports:write, in person',
  'POST /admin/domains/:domain_id/verify':
    'system:write, customers:write, sales:read, sales:write, reports:read, reports:write, in person',

  'GET /admin/event-types': 'system:read',
  'GET /admin/events': 'system:read',

  'GET /admin/geo/countries': 'tax:read',
  'PUT /admin/geo/countries': 'tax:write',
  'GET /admin/geo/countries/:id': 'tax:read',
  'PATCH /admin/geo/countries/:id': 'tax:write',
  'GET /admin/geo/geo-zones': 'tax:read',
  'POST /admin/geo/geo-zones': 'tax:write',
  'GET /admin/geo/geo-zones/:id': 'tax:read',
  'PATCH /admin/geo/geo-zones/:id': 'tax:write',
  'DELETE /admin/geo/geo-zones/:id': 'tax:write',
  'GET /admin/geo/geo-zones/:id/members': 'tax:read',
  'PUT /admin/geo/geo-zones/:id/members': 'tax:write',
  'GET /admin/geo/zones': 'tax:read',

  'GET /admin/identity-providers': 'system:read',
  'POST /admin/identity-providers': 'system:write, in person',
  'GET /admin/identity-providers/:provider_id': 'system:read',
  'PATCH /admin/identity-providers/:provider_id': 'system:write, in person',
  'DELETE /admin/identity-providers/:provider_id': 'system:write, in person',

  'GET /admin/images': 'catalog:read',
  'POST /admin/images': 'catalog:write',
  'GET /admin/images/:image_id': 'catalog:read',
  'DELETE /admin/images/:image_id': 'catalog:write',

  'GET /admin/manufacturers': 'catalog:read',
  'POST /admin/manufacturers': 'catalog:write',
  'GET /admin/manufacturers/:manufacturer_id': 'catalog:read',
  'PATCH /admin/manufacturers/:manufacturer_id': 'catalog:write',
  'DELETE /admin/manufacturers/:manufacturer_id': 'catalog:write',

  'GET /admin/orders': 'sales:read',
  'GET /admin/orders/:order_id': 'sales:read',
  'PATCH /admin/orders/:order_id': 'sales:write',
  'POST /admin/orders/:order_id/mark-paid': 'sales:write, mark_paid',
  'GET /admin/orders/:order_id/shipments': 'sales:read',
  'POST /admin/orders/:order_id/shipments': 'sales:write',
  'GET /admin/orders/:order_id/shipments/:shipment_id': 'sales:read',
  'PATCH /admin/orders/:order_id/shipments/:shipment_id': 'sales:write',
  'DELETE /admin/orders/:order_id/shipments/:shipment_id': 'sales:write',
  'POST /admin/orders/:order_id/notes': 'sales:write',
  'GET /admin/orders/:order_id/history': 'sales:read',
  'POST /admin/orders/:order_id/resolve-payment': 'sales:write, refund',
  'POST /admin/orders/:order_id/mark-surplus-returned': 'sales:write, refund',

  'GET /admin/disputes': 'sales:read',

  'GET /admin/orders/:order_id/refunds': 'sales:read',
  'POST /admin/orders/:order_id/refunds': 'sales:write, refund',

  'GET /admin/owner': 'users:read, in person',
  'POST /admin/owner/transfer': 'in person',

  'GET /admin/payment-methods': 'system:read',
  'GET /admin/payment-methods/:code': 'system:read',
  'PATCH /admin/payment-methods/:code': 'system:write',

  'GET /admin/products': 'catalog:read',
  'POST /admin/products': 'catalog:write',
  'GET /admin/products/:product_id': 'catalog:read',
  'PATCH /admin/products/:product_id': 'catalog:write',
  'DELETE /admin/products/:product_id': 'catalog:write',
  'POST /admin/products/:product_id/duplicate': 'catalog:write',
  'POST /admin/products/:product_id/restore': 'catalog:write',
  'PUT /admin/products/:product_id/attributes': 'catalog:write',
  'PUT /admin/products/:product_id/categories': 'catalog:write',
  'PUT /admin/products/:product_id/images': 'catalog:write',
  'PUT /admin/products/:product_id/price-rules': 'catalog:write',
  'PUT /admin/products/:product_id/related': 'catalog:write',
  'GET /admin/products/:product_id/variants': 'catalog:read',
  'POST /admin/products/:product_id/variants': 'catalog:write',
  'GET /admin/products/:product_id/variants/:variant_id': 'catalog:read',
  'PATCH /admin/products/:product_id/variants/:variant_id': 'catalog:write',
  'DELETE /admin/products/:product_id/variants/:variant_id': 'catalog:write',
  'POST /admin/products/import': 'catalog:write',

  'GET /admin/publishable-keys': 'system:read',
  'POST /admin/publishable-keys': 'system:write',
  'GET /admin/publishable-keys/:key_id': 'system:read',
  'PATCH /admin/publishable-keys/:key_id': 'system:write',
  'POST /admin/publishable-keys/:key_id/revoke': 'system:write',
  'POST /admin/publishable-keys/:key_id/rotate': 'system:write',

  'GET /admin/pages': 'content:read',
  'POST /admin/pages': 'content:write',
  'GET /admin/pages/:page_id': 'content:read',
  'PATCH /admin/pages/:page_id': 'content:write',
  'DELETE /admin/pages/:page_id': 'content:write',
  'GET /admin/pages/:page_id/preview': 'content:read',

  'GET /admin/questions': 'content:read',
  'GET /admin/questions/:id': 'content:read',
  'PATCH /admin/questions/:id': 'content:write',
  'DELETE /admin/questions/:id': 'content:write',

  'GET /admin/recurring-plans': 'sales:read',
  'POST /admin/recurring-plans': 'sales:write',
  'GET /admin/recurring-plans/:plan_id': 'sales:read',
  'PATCH /admin/recurring-plans/:plan_id': 'sales:write',
  'DELETE /admin/recurring-plans/:plan_id': 'sales:write',
  'POST /admin/recurring-plans/:plan_id/apply-price': 'sales:write',

  'GET /admin/remote/catalog': 'catalog:read',
  'POST /admin/remote/catalog/:id/import': 'catalog:write',
  'GET /admin/remote/links': 'catalog:read',
  'POST /admin/remote/links': 'catalog:write',
  'GET /admin/remote/links/:id': 'catalog:read',
  'DELETE /admin/remote/links/:id': 'catalog:write',
  'GET /admin/remote/settings': 'system:read',
  'PUT /admin/remote/settings': 'system:write',

  'GET /admin/support-access': 'system:read',
  'PUT /admin/support-access': 'system:write, in person',
  'DELETE /admin/support-access': 'system:write, in person',

  'GET /admin/subscriptions': 'sales:read',
  'GET /admin/subscriptions/:subscription_id': 'sales:read',
  'PATCH /admin/subscriptions/:subscription_id': 'sales:write',
  'POST /admin/subscriptions/:subscription_id/cancel': 'sales:write',
  'POST /admin/subscriptions/:subscription_id/pause': 'sales:write',
  'POST /admin/subscriptions/:subscription_id/resume': 'sales:write',
  'POST /admin/subscriptions/:subscription_id/skip': 'sales:write',

  'GET /admin/reports/affiliates': 'reports:read',
  'GET /admin/reports/coupons': 'reports:read',
  'GET /admin/reports/customers': 'reports:read',
  'GET /admin/reports/inventory': 'reports:read',
  'GET /admin/reports/marketing': 'reports:read',
  'GET /admin/reports/products': 'reports:read',
  'GET /admin/reports/returns': 'reports:read',
  'GET /admin/reports/sales': 'reports:read',
  'GET /admin/reports/shipping': 'reports:read',
  'GET /admin/reports/tax': 'reports:read',
  'GET /admin/reports/vouchers': 'reports:read',

  'GET /admin/returns': 'sales:read',
  'POST /admin/returns': 'sales:write',
  'GET /admin/returns/:return_id': 'sales:read',
  'PATCH /admin/returns/:return_id': 'sales:write',
  'DELETE /admin/returns/:return_id': 'sales:write',
  'POST /admin/returns/:return_id/approve': 'sales:write',
  'POST /admin/returns/:return_id/cancel': 'sales:write',
  'POST /admin/returns/:return_id/receive': 'sales:write',
  'POST /admin/returns/:return_id/refund': 'sales:write, refund',
  'POST /admin/returns/:return_id/reject': 'sales:write',
  'POST /admin/returns/:return_id/replace': 'sales:write, refund',
  'POST /admin/returns/:return_id/restock': 'sales:write',
  'GET /admin/returns/order-context/:order_id': 'sales:read',

  'GET /admin/roles': 'users:read, in person',
  'POST /admin/roles': 'users:write, in person',
  'GET /admin/roles/:role_id': 'users:read, in person',
  'PATCH /admin/roles/:role_id': 'users:write, in person',
  'DELETE /admin/roles/:role_id': 'users:write, in person',

  'GET /admin/settings': 'system:read',
  'PATCH /admin/settings': 'system:write',

  'GET /admin/stock-statuses': 'catalog:read',
  'POST /admin/stock-statuses': 'catalog:write',
  'GET /admin/stock-statuses/:stock_status_id': 'catalog:read',
  'PATCH /admin/stock-statuses/:stock_status_id': 'catalog:write',
  'DELETE /admin/stock-statuses/:stock_status_id': 'catalog:write',

  'GET /admin/shipping-methods': 'system:read',
  'POST /admin/shipping-methods': 'system:write',
  'GET /admin/shipping-methods/:id': 'system:read',
  'PATCH /admin/shipping-methods/:id': 'system:write',
  'DELETE /admin/shipping-methods/:id': 'system:write',

  'GET /admin/stores': 'system:read',
  'GET /admin/stores/:store_id': 'system:read',
  'PATCH /admin/stores/:store_id': 'system:write',
  'DELETE /admin/stores/:store_id': 'system:write, in person',

  'GET /admin/tax/classes': 'tax:read',
  'POST /admin/tax/classes': 'tax:write',
  'GET /admin/tax/classes/:id': 'tax:read',
  'PATCH /admin/tax/classes/:id': 'tax:write',
  'DELETE /admin/tax/classes/:id': 'tax:write',
  'GET /admin/tax/rates': 'tax:read',
  'POST /admin/tax/rates': 'tax:write',
  'GET /admin/tax/rates/:id': 'tax:read',
  'PATCH /admin/tax/rates/:id': 'tax:write',
  'DELETE /admin/tax/rates/:id': 'tax:write',

  'GET /admin/users': 'users:read, in person',
  'POST /admin/users': 'users:write, in person',
  'GET /admin/users/:user_id': 'users:read, in person',
  'PATCH /admin/users/:user_id': 'users:write, in person',
  'DELETE /admin/users/:user_id': 'users:write, in person',
  'POST /admin/users/:user_id/2fa/reset': 'users:write, in person',
  'POST /admin/users/:user_id/sessions/revoke': 'users:write, in person',

  'GET /admin/voucher-themes': 'sales:read',
  'POST /admin/voucher-themes': 'sales:write',
  'GET /admin/voucher-themes/:id': 'sales:read',
  'PATCH /admin/voucher-themes/:id': 'sales:write',
  'DELETE /admin/voucher-themes/:id': 'sales:write',
  'GET /admin/vouchers': 'sales:read',
  'POST /admin/vouchers': 'sales:write, refund',
  'GET /admin/vouchers/:id': 'sales:read',
  'PATCH /admin/vouchers/:id': 'sales:write',
  'DELETE /admin/vouchers/:id': 'sales:write',
  'POST /admin/vouchers/:id/send': 'sales:write',
  'GET /admin/vouchers/:id/transactions': 'sales:read',

  'GET /admin/variants/:variant_id/stock': 'catalog:read',
  'POST /admin/variants/:variant_id/stock': 'catalog:write',

  'GET /admin/webhook-deliveries/:delivery_id': 'system:read',
  'POST /admin/webhook-deliveries/:delivery_id/redeliver': 'system:write',
  'GET /admin/webhooks': 'system:read',
  'POST /admin/webhooks': 'system:write',
  'GET /admin/webhooks/:webhook_id': 'system:read',
  'PATCH /admin/webhooks/:webhook_id': 'system:write',
  'DELETE /admin/webhooks/:webhook_id': 'system:write',
  'GET /admin/webhooks/:webhook_id/deliveries': 'system:read',
  'POST /admin/webhooks/:webhook_id/redeliver-failed': 'system:write',
  'POST /admin/webhooks/:webhook_id/rotate-secret': 'system:write',
  'POST /admin/webhooks/:webhook_id/test': 'system:write',
}

const admin = endpoints.filter(({ path }) => path.startsWith('/admin/'))
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`

/** Calls an operation for a resource that does not exist, so that an authorized call changes nothing. */
const call = (operation: Operation, token: string): Promise<ApiResponse> =>
  request(nameOf(operation).replace(/:\w+/g, newId()), { token })

/** The first required right that is not among `rights`; undefined if the operation is allowed. */
const missingFor = ({ access }: Operation, rights: readonly Right[]): Right | undefined =>
  access.rights.find((right) => !rights.includes(right))

/** The refusal names the missing right. */
function assertRefused({ status, error_code, error }: ApiResponse, missing: Right, message: string): void {
  assert.deepEqual({ status, error_code }, { status: 403, error_code: refusalOf(missing).kind.code }, message)
  assert.ok(error?.includes(`"${missing}"`), `${message}: ${error}`)
}

const REFUSAL_CODES = [...new Set(RIGHTS.map((right) => refusalOf(right).kind.code))]

/** An authorized call may still fail with 404 or a validation error. */
function assertAuthorized({ status, error_code }: ApiResponse, message: string): void {
  assert.ok(!REFUSAL_CODES.includes(error_code ?? ''), `${message}: ${error_code}`)
  assert.ok(status < 500 && status !== 401, `${message}: ${status}`)
}

test('each admin operation requires the rights in the table', () => {
  const declared = Object.fromEntries(
    admin.map((operation) => {
      const { rights, personal } = operation.access
      return [nameOf(operation), [...rights, ...(personal ? ['in person'] : [])].join(', ')]
    }),
  )

  assert.deepEqual(declared, REQUIRED)
})

test('every admin operation is for staff and requires a right to read or to write', () => {
  for (const operation of admin) {
    const { kind, rights } = operation.access
    const name = nameOf(operation)
    assert.equal(kind, 'staff', name)
    const ending = operation.method === 'get' ? ':read' : ':write'
    if (name !== 'POST /admin/owner/transfer') assert.ok(rights[0]?.endsWith(ending), name)
  }
})

for (const role of Object.keys(PRESET_ROLES))
  test(`an operation returns 403 to the role ${role} exactly if a right is missing`, async () => {
    const { token } = await buildStaff(await buildStore(), { role })

    for (const operation of admin) {
      const answer = await call(operation, token)
      const missing = missingFor(operation, rightsOf(role))
      if (missing) assertRefused(answer, missing, nameOf(operation))
      else assertAuthorized(answer, nameOf(operation))
    }
  })

test('an API token with all rights gets 403 exactly from operations in person', async () => {
  const { token } = await buildApiToken(await buildStore(), ...RIGHTS)

  for (const operation of admin) {
    const answer = await call(operation, token)
    const name = nameOf(operation)
    if (operation.access.personal)
      assert.partialDeepStrictEqual(answer, { status: 403, error_code: 'auth.api_token_forbidden' }, name)
    else assertAuthorized(answer, name)
  }
})

test('every admin operation refuses tokens without rights, customers and invalid tokens', async () => {
  const store = await buildStore()
  const apiToken = await buildApiToken(store)
  const customer = await buildCustomer(store)

  for (const operation of admin) {
    const name = nameOf(operation)
    assert.equal((await call(operation, apiToken.token)).status, 403, name)
    assert.equal((await call(operation, customer.token)).error_code, 'auth.not_authenticated', name)
    assert.equal((await call(operation, 'none')).error_code, 'auth.not_authenticated', name)
  }
})
