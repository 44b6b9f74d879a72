import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { FullStore } from '#test/support/builders/full-store.ts'

type Names = (of: FullStore) => string[]

const ordersOf: Names = ({ orders }) => Object.values(orders).map(({ id }) => id)
const keyOf: Names = ({ publishableKeyId }) => [publishableKeyId]
const domainOf: Names = ({ domainId }) => [domainId]

/** The records of a furnished store that a path parameter can name, by the path segment before it. */
export const IN_PATHS: Record<string, Names> = {
  'sessions/:id': ({ sessions }) => sessions,
  'identity-links/:id': ({ identityLinks }) => identityLinks,
  'items/:item_id': ({ cart }) => cart.itemIds,
  'products/:product_id': ({ product }) => [product.id],
  'addresses/:id': ({ addressId }) => [addressId],
  'images/:image_id': ({ imageId }) => [imageId],
  'questions/:id': ({ questionId }) => [questionId],
  'pages/:page_id': ({ contentPage }) => [contentPage.id],
  'pages/:slug': ({ contentPage }) => [contentPage.slug],
  'wishlist/:product_id': ({ product }) => [product.id],
  'variants/:variant_id': ({ variantId }) => [variantId],
  'products/:slug': ({ product }) => [product.slug],
  'categories/:slug': ({ category }) => [category.slug],
  'categories/:category_id': ({ category }) => [category.id],
  'manufacturers/:manufacturer_id': ({ manufacturer }) => [manufacturer.id],
  'attribute-groups/:group_id': ({ attribute }) => [attribute.groupId],
  'attributes/:attribute_id': ({ attribute }) => [attribute.id],
  'stock-statuses/:stock_status_id': ({ stockStatus }) => [stockStatus.id],
  'geo-zones/:id': ({ geoZoneId }) => [geoZoneId],
  'classes/:id': ({ taxClassId }) => [taxClassId],
  'rates/:id': ({ taxRateId }) => [taxRateId],
  'shipping-methods/:id': ({ shipping }) => [shipping.id],
  'catalog-jobs/:id': ({ jobId }) => [jobId],
  'customer-imports/:id': ({ customerImportId }) => [customerImportId],
  'coupons/:coupon_id': ({ coupon }) => [coupon.id],
  'affiliates/:id': ({ affiliate }) => [affiliate.id],
  'campaigns/:id': ({ campaign }) => [campaign.id],
  'subscriptions/:subscription_id': ({ subscriptionId }) => [subscriptionId],
  'recurring-plans/:plan_id': ({ recurringPlanId }) => [recurringPlanId],
  'identity-providers/:provider_id': ({ provider }) => [provider.id],
  'oauth/:provider': ({ provider }) => [provider.code],
  'customers/:id': ({ customer }) => [customer.id],
  'customer-groups/:id': ({ customerGroupId }) => [customerGroupId],
  'orders/:order_id': ordersOf,
  'order-context/:order_id': ordersOf,
  'shipments/:shipment_id': ({ shipmentId }) => [shipmentId],
  'returns/:return_id': ({ returnId }) => [returnId],
  'api-tokens/:token_id': ({ apiTokenId }) => [apiTokenId],
  'roles/:role_id': ({ role }) => [role.id],
  'users/:user_id': ({ member }) => [member.id],
  'stores/:store_id': ({ store }) => [store.id],
  'publishable-keys/:key_id': keyOf,
  'domains/:domain_id': domainOf,
  'voucher-themes/:id': ({ voucher }) => [voucher.themeId],
  'vouchers/:id': ({ voucher }) => [voucher.id],
  'vouchers/:code': ({ voucher }) => [voucher.code],
  'links/:id': ({ remoteLinkId }) => [remoteLinkId],
  'webhooks/:webhook_id': ({ webhookId }) => [webhookId],
  'webhook-deliveries/:delivery_id': ({ deliveryId }) => [deliveryId],
}

/**
 * Parameters of resources that belong to the platform or have the same name in every store or in an outside system.
 * The test checks only whether one store's records are found under another store.
 */
const OF_THE_PLATFORM = [
  'stores/:id',
  'sessions/:session_id',
  'queues/:name',
  'countries/:id',
  'payment-methods/:code',
  'catalog/:id',
]

/** Here the state of a started sign-in names the store: test/api/identity-providers/attacks.slow.test.ts. */
export const BY_STATE = 'GET /auth/oauth/:provider/callback'

/** Bodies whose field names a record of `of`; the rest of the body is the sender's. */
export const IN_BODIES: Record<string, (of: FullStore, sender: FullStore) => object> = {
  'POST /cart/items variant_id': ({ variantId }) => ({ variant_id: variantId, quantity: 1 }),
  'POST /cart/items product_id': ({ product }) => ({ product_id: product.id, quantity: 1 }),
  'POST /cart/items recurring_plan_id': ({ recurringPlanId }, { variantId }) => ({
    variant_id: variantId,
    quantity: 1,
    recurring_plan_id: recurringPlanId,
  }),
  'POST /wishlist product_id': ({ product }) => ({ product_id: product.id }),
  'POST /cart/items voucher_theme_id': ({ voucher }) => ({
    voucher: {
      ...newVoucher(),
      from_name: 'Ada',
      from_email: 'ada@example.com',
      voucher_theme_id: voucher.themeId,
    },
  }),
  'POST /admin/products category_ids': ({ category }) => ({ ...draft(), category_ids: [category.id] }),
  'POST /admin/products manufacturer_id': ({ manufacturer }) => ({
    ...draft(),
    manufacturer_id: manufacturer.id,
  }),
  'PATCH /admin/products/:product_id category_ids': ({ category }) => ({ category_ids: [category.id] }),
  'PATCH /admin/products/:product_id manufacturer_id': ({ manufacturer }) => ({
    manufacturer_id: manufacturer.id,
  }),
  'PATCH /admin/products/:product_id variant_ids': ({ variantId }) => ({
    images: [{ url: 'https://images.example/stool.webp', variant_ids: [variantId] }],
  }),
  'POST /admin/products stock_status_id': ({ stockStatus }) => ({
    ...draft(),
    stock_status_id: stockStatus.id,
  }),
  'PATCH /admin/products/:product_id stock_status_id': ({ stockStatus }) => ({
    stock_status_id: stockStatus.id,
  }),
  'POST /admin/products related_ids': ({ product }) => ({ ...draft(), related_ids: [product.id] }),
  'PATCH /admin/products/:product_id related_ids': ({ other }) => ({ related_ids: [other.id] }),
  'PUT /admin/products/:product_id/related items': ({ other }) => ({ items: [other.id] }),
  'POST /admin/products attribute_id': ({ attribute }) => ({ ...draft(), attributes: [oak(attribute)] }),
  'PATCH /admin/products/:product_id attribute_id': ({ attribute }) => ({ attributes: [oak(attribute)] }),
  'PUT /admin/products/:product_id/attributes attribute_id': ({ attribute }) => ({
    items: [oak(attribute)],
  }),
  'PUT /admin/products/:product_id/categories items': ({ category }) => ({ items: [category.id] }),
  'PUT /admin/products/:product_id/images variant_ids': ({ variantId }) => ({
    items: [{ url: 'https://images.example/stool.webp', variant_ids: [variantId] }],
  }),
  'POST /admin/attributes group_id': ({ attribute }) => ({
    group_id: attribute.groupId,
    name_i18n: { en: randomUUID() },
  }),
  'PATCH /admin/attributes/:attribute_id group_id': ({ attribute }) => ({ group_id: attribute.groupId }),
  'POST /admin/categories parent_id': ({ category }) => ({
    name_i18n: { en: 'Shelf' },
    parent_id: category.id,
  }),
  'PATCH /admin/categories/:category_id parent_id': ({ otherCategory }) => ({ parent_id: otherCategory.id }),
  'POST /admin/orders/:order_id/resolve-payment payment_id': ({ orders }) => ({
    payment_id: orders.paid.paymentId,
    decision: 'return',
  }),
  'POST /admin/coupons product_ids': ({ product }) => ({ ...tenPercent(), product_ids: [product.id] }),
  'POST /admin/coupons category_ids': ({ category }) => ({ ...tenPercent(), category_ids: [category.id] }),
  'PATCH /admin/coupons/:coupon_id product_ids': ({ product }) => ({ product_ids: [product.id] }),
  'PATCH /admin/coupons/:coupon_id category_ids': ({ category }) => ({ category_ids: [category.id] }),
  'POST /admin/recurring-plans product_ids': ({ product }) => ({
    name_i18n: { en: 'Every month' },
    duration: 1,
    duration_unit: 'month',
    product_ids: [product.id],
  }),
  'PATCH /admin/recurring-plans/:plan_id product_ids': ({ product }) => ({ product_ids: [product.id] }),
  'POST /admin/tax/rates tax_class_id': ({ taxClassId }) => ({
    name: 'VAT',
    percent: 7,
    tax_class_id: taxClassId,
  }),
  'POST /admin/tax/rates geo_zone_id': ({ geoZoneId }, { taxClassId }) => ({
    name: 'VAT',
    percent: 7,
    tax_class_id: taxClassId,
    geo_zone_id: geoZoneId,
  }),
  'PATCH /admin/tax/rates/:id tax_class_id': ({ taxClassId }) => ({ tax_class_id: taxClassId }),
  'PATCH /admin/tax/rates/:id geo_zone_id': ({ geoZoneId }) => ({ geo_zone_id: geoZoneId }),
  'POST /admin/products tax_class_id': ({ taxClassId }) => ({ ...draft(), tax_class_id: taxClassId }),
  'PATCH /admin/products/:product_id tax_class_id': ({ taxClassId }) => ({ tax_class_id: taxClassId }),
  'POST /admin/remote/links product_id': ({ product }) => ({ item_id: 'item-1', product_id: product.id }),
  'POST /cart/coupon code': ({ coupon }) => ({ code: coupon.code }),
  'POST /checkout coupon_code': ({ coupon }, { shipping }) => ({
    ...(exampleOf('POST /checkout') as object),
    expected_total: undefined,
    shipping_method_id: shipping.id,
    payment_method: 'bank_transfer',
    coupon_code: coupon.code,
  }),
  'POST /admin/shipping-methods tax_class_id': ({ taxClassId }) => ({
    code: randomUUID(),
    name_i18n: { en: 'Parcel' },
    price: 1,
    tax_class_id: taxClassId,
  }),
  'POST /admin/shipping-methods geo_zone_ids': ({ geoZoneId }) => ({
    code: randomUUID(),
    name_i18n: { en: 'Parcel' },
    price: 1,
    geo_zone_ids: [geoZoneId],
  }),
  'PATCH /admin/shipping-methods/:id tax_class_id': ({ taxClassId }) => ({ tax_class_id: taxClassId }),
  'PATCH /admin/shipping-methods/:id geo_zone_ids': ({ geoZoneId }) => ({ geo_zone_ids: [geoZoneId] }),
  'POST /checkout shipping_method_id': ({ shipping }) => ({
    ...(exampleOf('POST /checkout') as object),
    shipping_method_id: shipping.id,
    payment_method: 'bank_transfer',
  }),
  'PATCH /subscriptions/:subscription_id shipping_method_id': ({ shipping }) => ({
    shipping_method_id: shipping.id,
  }),
  'PATCH /subscriptions/:subscription_id recurring_plan_id': ({ recurringPlanId }) => ({
    recurring_plan_id: recurringPlanId,
  }),
  'PATCH /admin/subscriptions/:subscription_id recurring_plan_id': ({ recurringPlanId }) => ({
    recurring_plan_id: recurringPlanId,
  }),
  'PATCH /admin/subscriptions/:subscription_id shipping_method_id': ({ shipping }) => ({
    shipping_method_id: shipping.id,
  }),
  'POST /admin/orders/:order_id/refunds order_item_id': ({ orders }) => ({
    items: [{ order_item_id: orders.paid.lines[0]?.id, quantity: 1 }],
  }),
  'POST /admin/orders/:order_id/mark-surplus-returned surplus_id': ({ surplusId }) => ({
    surplus_id: surplusId,
    reason: 'Paid by transfer',
  }),
  'POST /admin/orders/:order_id/shipments order_item_id': ({ orders }) => ({
    items: [{ order_item_id: orders.paid.lines[0]?.id, quantity: 1 }],
  }),
  'POST /admin/vouchers order_id': ({ orders }) => ({ ...newVoucher(), order_id: orders.paid.id }),
  'POST /admin/vouchers voucher_theme_id': ({ voucher }) => ({
    ...newVoucher(),
    voucher_theme_id: voucher.themeId,
  }),
  'PATCH /admin/vouchers/:id order_id': ({ orders }) => ({ order_id: orders.paid.id }),
  'PATCH /admin/vouchers/:id voucher_theme_id': ({ voucher }) => ({ voucher_theme_id: voucher.themeId }),
  'POST /returns order_id': ({ orders }) => returnOf(orders.shipped, orders.shipped),
  'POST /returns order_item_id': ({ orders }, own) => returnOf(own.orders.shipped, orders.shipped),
  'POST /admin/returns order_id': ({ orders }) => returnOf(orders.shipped, orders.shipped),
  'POST /admin/returns order_item_id': ({ orders }, own) => returnOf(own.orders.shipped, orders.shipped),
  'PATCH /admin/returns/:return_id order_item_id': ({ orders }) => ({ items: itemsOf(orders.shipped) }),
  'POST /admin/returns/:return_id/receive id': ({ returnItemId }) => ({
    items: [{ id: returnItemId, disposition: 'missing' }],
  }),
  'POST /admin/owner/transfer user_id': ({ member }, { owner }) => ({
    user_id: member.id,
    current_password: owner.password,
  }),
  'POST /super-admin/stores/:id/owner user_id': ({ member }) => ({ user_id: member.id }),
  'POST /admin/products customer_group_id': ({ customerGroupId }) => ({
    ...draft(),
    price_rules: [ruleFor(customerGroupId)],
  }),
  'PATCH /admin/products/:product_id customer_group_id': ({ customerGroupId }) => ({
    price_rules: [ruleFor(customerGroupId)],
  }),
  'PUT /admin/products/:product_id/price-rules customer_group_id': ({ customerGroupId }) => ({
    items: [ruleFor(customerGroupId)],
  }),
  'POST /admin/affiliates customer_id': ({ candidateId }) => ({ customer_id: candidateId }),
  'POST /admin/customers customer_group_id': ({ customerGroupId }) => ({
    email: `${randomUUID()}@example.com`,
    firstname: 'Ada',
    lastname: 'Byron',
    customer_group_id: customerGroupId,
  }),
  'PATCH /admin/customers/:id customer_group_id': ({ customerGroupId }) => ({
    customer_group_id: customerGroupId,
  }),
  'POST /admin/users role': ({ role }) => ({
    ...(exampleOf('POST /admin/users') as object),
    role: role.name,
  }),
  'PATCH /admin/users/:user_id role': ({ role }) => ({ role: role.name }),
}

/** Query parameters that filter a list, with the values that match records of the store. */
export const IN_QUERIES: Record<string, Names> = {
  category: ({ category }) => [category.slug],
  ids: ({ product }) => [product.id],
  category_id: ({ category }) => [category.id],
  manufacturer: ({ manufacturer }) => [manufacturer.id],
  attribute: ({ attribute }) => [`${attribute.id}:Oak`],
  product_id: ({ product }) => [product.id],
  customer_id: ({ customer }) => [customer.id],
  subscription_id: ({ subscriptionId }) => [subscriptionId],
  recurring_plan_id: ({ recurringPlanId }) => [recurringPlanId],
  group_id: ({ customerGroupId }) => [customerGroupId],
  tax_class_id: ({ taxClassId }) => [taxClassId],
  geo_zone_id: ({ geoZoneId }) => [geoZoneId],
  shipping_method_id: ({ shipping }) => [shipping.id],
  actor_id: ({ owner }) => [owner.id],
  resource_id: ({ role }) => [role.id],
  store_id: ({ store }) => [store.id],
  voucher_theme_id: ({ voucher }) => [voucher.themeId],
  order_id: ({ orders }) => [orders.shipped.id],
  exclude_return_id: ({ returnId }) => [returnId],
  sku: ({ product }) => [product.variants[0]?.sku ?? ''],
}

/** Fields that end in `id` and name no record of a store. */
export const OF_THE_SENDER: Record<string, string> = {
  'POST /admin/identity-providers client_id': 'what the provider calls the store',
  'PATCH /admin/identity-providers/:provider_id client_id': 'what the provider calls the store',
  'PUT /admin/products/:product_id/images id': 'an image of that product: any other is a new one',
  'PATCH /admin/products/:product_id id': 'an image of that product: any other is a new one',
  'GET /cart shipping_method_id': 'a choice, which narrows nothing: test/api/cart/destination.test.ts',
  'GET /admin/remote/catalog category_id': "the external system's own",
  'POST /admin/remote/links item_id': "the external system's own",
  'POST /checkout visitor_id': "the storefront's own",
  'POST /marketing/track visitor_id': "the storefront's own",
  'POST /super-admin/queues/:name/redrive ids': 'jobs of the platform',
}

/** Matches fields that name a record. */
export const NAMES_SOMETHING = /(^|_)ids?$/

interface Described {
  properties?: Record<string, Described>
  items?: Described
  anyOf?: Described[]
}

/** The names of all fields of a schema, at any depth. */
export function fieldsOf(shape: unknown): string[] {
  const { properties = {}, items, anyOf = [] } = (shape ?? {}) as Described
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [...new Set([...Object.keys(properties), ...inner.flatMap(fieldsOf)])]
}

/** Method and path in the description's notation. */
export const nameOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`

/** The operation of that name. */
export function operationOf(name: string): Operation {
  const found = endpoints.find((one) => nameOf(one) === name)
  assert.ok(found, `There is no ${name}`)
  return found
}
const exampleOf = (name: string): unknown => operationOf(name).example.body

type Lines = { id: string; lines: { id: string }[] }
const itemsOf = ({ lines }: Lines) => [{ order_item_id: lines[0]?.id, quantity: 1, reason: 'unwanted' }]
const returnOf = ({ id }: Lines, of: Lines) => ({ order_id: id, items: itemsOf(of) })
const oak = ({ id }: { id: string }) => ({ attribute_id: id, value: 'Oak' })

const ruleFor = (customer_group_id: string) => ({ kind: 'special', price: 5, customer_group_id })
const draft = () => ({ name_i18n: { en: 'Stool' }, price: 10, variants: [{ sku: randomUUID() }] })

const tenPercent = () => ({ code: randomUUID(), type: 'percent', value: 10 })
const newVoucher = () => ({ amount: 50, to_name: 'Grace', to_email: 'grace@example.com' })

/** The parameters of a path, in the notation of IN_PATHS. */
export const parametersOf = ({ path }: Operation): string[] =>
  (path.match(/[\w-]+\/:\w+/g) ?? []).filter((name) => !OF_THE_PLATFORM.includes(name))
