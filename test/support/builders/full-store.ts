import { randomUUID } from 'node:crypto'
import { recordDispute } from '#shared/disputes/record-dispute.ts'
import type { StoreAccount } from '#shared/identity/principal.ts'
import { Payment } from '#shared/payments/payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import { now } from '#shared/platform/time/clock.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import '#test/support/processes/gateway.ts'
import { linkAccount } from '#shared/identity/identity-link.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { readRefreshToken } from '#shared/identity/sessions/refresh-token.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { buildApiToken, buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder, type CapturedOrder, charge } from '#test/support/builders/captured-order.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/builders/catalog.ts'
import { buildContentPage } from '#test/support/builders/content-pages.ts'
import { buildImage } from '#test/support/builders/images.ts'
import { uploadCsv, uploadCustomers } from '#test/support/builders/import.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { ADDRESS, buildOrder } from '#test/support/builders/orders.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { buildAttribute, buildStockStatus } from '#test/support/builders/taxonomy.ts'
import { buildTheme, buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { buildProvider } from '#test/support/processes/identity-provider.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'

export type FullStore = Awaited<ReturnType<typeof buildFullStore>>

/** A store with one record of every kind, and with users and API clients that hold every permission there. */
export async function buildFullStore({ provider = 'acme' } = {}) {
  const store = await buildStore()
  const people = await buildPeople(store)
  const goods = await buildGoods(store)
  const sales = await buildSales(store, people, goods)
  const office = await buildOffice(people.owner.token, people.customer.id)
  const remoteLinkId = await buildRemoteLink(people.owner.token, goods.product.id)
  const recurringPlanId = await buildPlan(people.owner.token, goods.product.id)
  const subscribing = {
    customer: people.customer,
    planId: recurringPlanId,
    of: { productId: goods.product.id, variantId: goods.variantId },
  }
  const { id: subscriptionId } = await buildSubscription(store, subscribing)
  await buildSubscription(store, subscribing)
  const wishes = await buildWishes(store, people, goods)
  const voucher = await buildOwnVoucher(store, sales.orders.shipped.id)
  await buildProvider(store, { code: provider })
  const { data: providers } = await request('GET /admin/identity-providers', { token: people.owner.token })
  const identityLinks = await buildIdentityLinks(store, people, providers[0].id)
  const { id: imageId } = await buildImage(store)
  await drainJobs()
  const sessions = await buildSessions(store, people)
  return {
    store,
    provider: { id: providers[0].id, code: provider },
    ...people,
    ...goods,
    ...sales,
    ...office,
    remoteLinkId,
    recurringPlanId,
    subscriptionId,
    ...wishes,
    contentPage: await buildContentPage(store),
    imageId,
    voucher,
    sessions,
    identityLinks,
  }
}

async function buildPeople(store: { id: string }) {
  const customer = await buildCustomer(store)
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  await inStore(store.id, (tx) =>
    recordSecurityEvent(tx, 'password_changed', { type: 'customer', id: customer.id }, device),
  )
  return {
    owner: await buildStaff(store, { role: 'owner' }),
    member: await buildStaff(store, { role: 'sales' }),
    customer,
    program: await buildApiToken(store, ...RIGHTS),
  }
}

async function buildGoods(store: { id: string }) {
  const category = await buildCategory(store)
  const manufacturer = await buildManufacturer(store)
  const attribute = await buildAttribute(store)
  const product = await buildProduct(store, {
    attributes: [{ attributeId: attribute.id, value: 'Oak' }],
    manufacturerId: manufacturer.id,
    categoryIds: [category.id],
    options: [{ name: 'Size', values: ['S', 'M'] }],
    variants: [{ optionValues: { Size: 'S' } }],
  })
  return {
    category,
    otherCategory: await buildCategory(store),
    manufacturer,
    attribute,
    stockStatus: await buildStockStatus(store),
    product,
    other: await buildProduct(store),
    variantId: product.variants[0]?.id ?? '',
  }
}

type People = Awaited<ReturnType<typeof buildPeople>>
type Goods = Awaited<ReturnType<typeof buildGoods>>

async function buildSales(
  store: { id: string; key: string },
  { owner, customer }: People,
  { variantId }: Goods,
) {
  const items = [{ variantId, quantity: 1 }]
  const orders = {
    customers: await buildOrder(store, { customerId: customer.id, items }),
    guests: await buildOrder(store, { items }),
    paid: await buildCapturedOrder(store, { gateway }),
    shipped: await buildShippedOrder(store, { customerId: customer.id, gateway }),
  }
  await buildWonDispute(store, orders.shipped)
  const surplusId = await buildSurplus(store, orders.paid.id)
  const refund = await request(`POST /admin/orders/${orders.paid.id}/refunds`, {
    token: owner.token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: { amount: 1 },
  })
  const shipment = await request(`POST /admin/orders/${orders.paid.id}/shipments`, {
    token: owner.token,
    body: { items: [{ order_item_id: orders.paid.lines[0]?.id, quantity: 1 }] },
  })
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  const body = { variant_id: variantId, quantity: 1 }
  const { data: cart } = await request('POST /cart/items', { store, body })
  const { data: gifted } = await request('POST /cart/items', {
    store,
    cart: cart.token,
    body: { voucher: giftFor(`recipient-${nextNumber()}@example.test`) },
  })
  const { data: ownCart } = await request('POST /cart/items', { store, token: customer.token, body })
  const goodsBack = await buildReturn(store, orders.shipped)
  return {
    orders,
    returnId: goodsBack.id,
    returnItemId: goodsBack.itemIds[0] ?? '',
    refundId: refund.data.id as string,
    shipmentId: shipment.data.id as string,
    surplusId,
    shipping,
    cart: {
      token: cart.token as string,
      itemIds: [cart.items[0].id, ownCart.items[0].id, gifted.items[1].id] as string[],
    },
  }
}

/** A second payment of a paid order. */
const buildSurplus = (store: { id: string }, orderId: string): Promise<string> =>
  inStore(store.id, async (tx) => {
    const at = now()
    const { id } = await Payment.in(tx).insert({
      orderId,
      provider: 'stripe',
      status: 'requires_action',
      amountMinor: 100n,
      currency: 'EUR',
      createdAt: at,
      updatedAt: at,
    })
    await applyCapture(tx, id, {
      reference: charge(gateway, { currency: 'EUR', totalMinor: 100n }),
      amountMinor: 100n,
      currency: 'EUR',
    })
    const [surplus] = await listSurpluses(tx, orderId)
    return surplus?.id ?? ''
  })

/** A dispute that no longer holds the shipment of its order. */
const buildWonDispute = (store: { id: string }, { reference }: CapturedOrder) =>
  inStore(store.id, (tx) =>
    recordDispute(
      tx,
      {
        provider: 'stripe',
        reference: `dp_${nextNumber()}`,
        paymentReference: reference ?? '',
        status: 'won',
        reason: 'fraudulent',
        amountMinor: 100n,
        currency: 'EUR',
        respondBy: null,
        openedAt: now(),
      },
      null,
    ),
  )

/** A customer's wishlist, product questions and addresses. */
async function buildWishes(
  store: { key: string },
  { owner, customer: { token } }: People,
  { product }: Goods,
) {
  await request('POST /wishlist', { store, token, body: { product_id: product.id } })
  const asked = await request(`POST /products/${product.slug}/questions`, {
    store,
    token,
    body: { body: `How tall is ${product.slug}?` },
  })
  const questionId: string = asked.data.id
  const body = { status: 'approved' }
  await request(`PATCH /admin/questions/${questionId}`, { token: owner.token, body })
  const { data } = await request('POST /addresses', { store, token, body: ADDRESS })
  return { questionId, addressId: data.id as string }
}

const giftFor = (email: string) => ({
  amount: 25,
  to_name: 'Grace',
  to_email: email,
  from_name: 'Ada',
  from_email: 'ada@example.test',
})

async function buildOwnVoucher(store: { id: string }, orderId: string) {
  const { id: themeId } = await buildTheme(store)
  const { id, code } = await buildVoucher(store, { voucherThemeId: themeId, orderId })
  return { id, code, themeId, orderId }
}

/** A tax class with a rate in a geo zone that matches none of the addresses. */
async function buildTaxes(make: (path: string, body: object) => Promise<string>, number: number) {
  const geoZoneId = await make('/admin/geo/geo-zones', {
    name: `Zone ${number}`,
    members: [{ country: 'DE', postcode: `${10_000 + number}` }],
  })
  const taxClassId = await make('/admin/tax/classes', { name: `Class ${number}` })
  const rate = { name: `Rate ${number}`, percent: 7, tax_class_id: taxClassId, geo_zone_id: geoZoneId }
  return { geoZoneId, taxClassId, taxRateId: await make('/admin/tax/rates', rate) }
}

/** A customer group with a customer. */
async function buildGroup(make: (path: string, body: object) => Promise<string>, number: number) {
  const id = await make('/admin/customer-groups', { name_i18n: { en: `Group ${number}` } })
  const email = `member-${number}@example.test`
  const member = { email, firstname: 'Mary', lastname: 'Jackson', customer_group_id: id }
  await make('/admin/customers', member)
  return id
}

/** A customer who is no affiliate. */
async function buildCandidate(make: (path: string, body: object) => Promise<string>, number: number) {
  const email = `candidate-${number}@example.test`
  return make('/admin/customers', { email, firstname: 'Dorothy', lastname: 'Vaughan' })
}

async function buildRemoteLink(token: string, product_id: string): Promise<string> {
  const body = { item_id: `item-${nextNumber()}`, product_id }
  return (await request('POST /admin/remote/links', { token, body })).data.id
}

/** A plan by which the product is sold. */
async function buildPlan(token: string, product_id: string): Promise<string> {
  const name_i18n = { en: `Plan ${nextNumber()}` }
  const body = { name_i18n, duration: 1, duration_unit: 'month', product_ids: [product_id] }
  return (await request('POST /admin/recurring-plans', { token, body })).data.id
}

/** Records that staff create in the admin. */
async function buildOffice(token: string, customerId: string) {
  const make = async (path: string, body: object) => {
    const { status, data } = await request(`POST ${path}`, { token, body })
    if (status !== 201) throw new Error(`${path} answers ${status}`)
    return data.id as string
  }
  const number = nextNumber()
  const webhookId = await make('/admin/webhooks', {
    url: `http://127.0.0.1:9/hook-${number}`,
    events: ['product.deleted'],
  })
  await withWorker(request(`POST /admin/webhooks/${webhookId}/test`, { token }))
  const { data: deliveries } = await request(`GET /admin/webhooks/${webhookId}/deliveries`, { token })
  return {
    ...(await buildTaxes(make, number)),
    webhookId,
    deliveryId: deliveries[0].id as string,
    role: {
      id: await make('/admin/roles', { name: `role-${number}`, rights: ['sales:read'] }),
      name: `role-${number}`,
    },
    apiTokenId: await make('/admin/api-tokens', { name: `Program ${number}`, rights: ['sales:read'] }),
    publishableKeyId: await make('/admin/publishable-keys', { name: `Shop ${number}`, mode: 'live' }),
    customerGroupId: await buildGroup(make, number),
    coupon: {
      id: await make('/admin/coupons', { code: `CODE-${number}`, type: 'percent', value: 10 }),
      code: `CODE-${number}`,
    },
    campaign: {
      id: await make('/admin/campaigns', { name: `Campaign ${number}`, code: `LINK-${number}` }),
      code: `LINK-${number}`,
    },
    affiliate: { id: await make('/admin/affiliates', { customer_id: customerId }) },
    candidateId: await buildCandidate(make, number),
    domainId: await make('/admin/domains', { domain: `furnished-${number}.example` }),
    jobId: (await uploadCsv(token, 'Handle,Title,Variant Price\nstool,Stool,\n')).data.id as string,
    customerImportId: (await uploadCustomers(token, 'email\n')).data.id as string,
  }
}

/** The links of the customer and the owner to a provider. */
async function buildIdentityLinks(
  store: { id: string },
  { customer, owner }: People,
  providerId: string,
): Promise<string[]> {
  const link = async (account: StoreAccount) => {
    const identity = { providerId, subject: account.id }
    const linked = await inStore(store.id, (tx) => linkAccount(tx, identity, account))
    return linked.link?.id ?? ''
  }
  return [await link({ type: 'customer', id: customer.id }), await link({ type: 'staff', id: owner.id })]
}

/** Second sessions of the customer and the owner: a request can end these and leave the callers signed in. */
async function buildSessions(store: { id: string }, { customer, owner }: People): Promise<string[]> {
  const open = async (account: StoreAccount) => {
    const device = { ip: '127.0.0.1', userAgent: 'another' }
    const { refreshToken } = await inStore(store.id, (tx) => openSession(tx, account, device))
    return readRefreshToken(refreshToken)?.sessionId ?? ''
  }
  return [await open({ type: 'customer', id: customer.id }), await open({ type: 'staff', id: owner.id })]
}
