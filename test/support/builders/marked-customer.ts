import { randomUUID } from 'node:crypto'
import { emailHash } from '#shared/customers/email-hash.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { linkProvider } from '#test/support/builders/link-provider.ts'
import { ADDRESS, buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { buildReceiver, buildWebhook } from '#test/support/builders/webhooks.ts'
import { superuser } from '#test/support/database.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const receiver = await buildReceiver()

/** Texts that nothing but the data of one person contains. */
function buildMarks() {
  const mark = `zq${nextNumber()}x`
  return {
    email: `${mark}-now@person.example`,
    former: `${mark}-former@person.example`,
    wanted: `${mark}-wanted@person.example`,
    firstname: `${mark}-First`,
    lastname: `${mark}-Last`,
    telephone: `+49 777 ${987_000 + nextNumber()} 123`,
    street: `${mark}-Street`,
    note: `${mark}-Note`,
    subject: `${mark}-Subject`,
    userAgent: `${mark}-Browser`,
    ip: `203.0.113.${100 + (nextNumber() % 100)}`,
  }
}
type Marks = ReturnType<typeof buildMarks>

/** A customer whose data has texts of its own, with calls of the staff (`as`) and of the customer (`own`). */
export async function buildMarkedCustomer() {
  const store = await buildStore()
  const marks = buildMarks()
  const { email, firstname, lastname, telephone, former } = marks
  const { token } = await buildStaff(store, { role: 'administrator' })
  const as = (line: string, asked: RequestOptions = {}) =>
    request(line, { token, ...(line.startsWith('GET') ? {} : { key: randomUUID() }), ...asked })
  const body = { email: former, password: PASSWORD, firstname, lastname, telephone }
  const { customer } = (await request('POST /auth/register', { store, body })).data
  // The change of the address is the way in which the former one enters events and mails.
  await as(`PATCH /admin/customers/${customer.id}`, { body: { email } })
  const device = { ip: marks.ip, userAgent: marks.userAgent }
  const account = { type: 'customer', id: customer.id } as const
  const session = await inStore(store.id, async (tx) => {
    await tx.knex('customers').where('id', customer.id).update({ verified_at: now() })
    await recordSecurityEvent(tx, 'password_changed', account, device)
    return openSession(tx, account, device)
  })
  const own = (line: string, asked: RequestOptions = {}) =>
    request(line, { store, token: session.accessToken, ...asked })
  return { store, marks, as, own, customer }
}
type MarkedCustomer = Awaited<ReturnType<typeof buildMarkedCustomer>>

/** Leaves the person's data in every place that can hold it. */
export async function leaveTraces({ store, marks, as, own, customer }: MarkedCustomer) {
  const { firstname, lastname, telephone, email, note } = marks
  const address = { ...ADDRESS, firstname, lastname, address_1: marks.street, telephone }
  await own('POST /addresses', { body: address })
  await own('POST /auth/email', { body: { email: marks.wanted, current_password: PASSWORD } })
  const product = await buildProduct(store)
  const variantId = product.variants[0]?.id ?? ''
  await own('POST /wishlist', { body: { product_id: product.id } })
  await own('POST /cart/items', { key: randomUUID(), body: { variant_id: variantId, quantity: 1 } })
  await buildWebhook(store, { url: receiver.hookUrl('traces'), events: ['*'] })
  await as(`PATCH /admin/customers/${customer.id}`, {
    body: { note, tax_number: note, metadata: { crm: note } },
  })
  const orders = await buildOrders({ store, marks, as, customer })
  const asked = await own(`POST /products/${product.slug}/questions`, {
    body: { author_name: firstname, body: 'Is it oak?' },
  })
  const asGuest = await request(`POST /products/${product.slug}/questions`, {
    store,
    body: { author_name: firstname, author_email: email, body: 'Is it ash?' },
  })
  await as(`PATCH /admin/questions/${asked.data.id}`, { body: { status: 'approved', answer_body: 'It is.' } })
  const metadata = { crm: note }
  const gift = { amount: 20, to_name: firstname, to_email: email, message: note, metadata }
  const voucher = await as('POST /admin/vouchers', { body: gift })
  const given = {
    amount: 20,
    from_name: lastname,
    from_email: email,
    to_name: 'Grace',
    to_email: 'g@example.test',
  }
  await as('POST /admin/vouchers', { body: { ...given, message: note, metadata } })
  await linkProvider(store, customer.id, marks.subject)
  const subscribed = await subscribe({ store, marks, as, customer })
  await drainJobs()
  await inStore(store.id, ({ knex }) =>
    knex('webhook_attempts')
      .whereIn('delivery_id', knex('webhook_deliveries').where('event_type', 'order.created').select('id'))
      .update({ response_excerpt: `Thanks, ${email}` }),
  )
  await request('POST /auth/password/forgot', { store, body: { email } })
  return {
    ...orders,
    subscribed,
    variantId,
    voucherId: voucher.data.id as string,
    questionIds: [asked.data.id, asGuest.data.id] as string[],
  }
}

/** A subscription that was sent to the person's address, and canceled. */
async function subscribe({ store, marks, as, customer }: Omit<MarkedCustomer, 'own'>) {
  const { firstname, lastname, telephone, street: address_1 } = marks
  const address = { ...ADDRESS, firstname, lastname, address_1 }
  const built = await buildSubscription(store, { customer })
  const body = { firstname, lastname, telephone, shipping_address: address, billing_address: address }
  await as(`PATCH /admin/subscriptions/${built.id}`, { body })
  await as(`POST /admin/subscriptions/${built.id}/cancel`)
  await as(`POST /admin/orders/${built.orderId}/mark-paid`, { body: {} })
  await as(`PATCH /admin/orders/${built.orderId}`, { body: { status: 'complete' } })
  return built
}

async function buildOrders({ store, marks, as, customer }: Omit<MarkedCustomer, 'own'>) {
  const { email, note } = marks
  const coupon = await buildCoupon(store)
  const guest = await buildOrder(store, { email, paymentMethod: 'cash_on_delivery', couponCode: coupon.code })
  const paid = await buildPaidOrder(store, { customerId: customer.id })
  await inStore(store.id, async (tx) => {
    const { firstname, lastname, telephone, street: address_1 } = marks
    const address = JSON.stringify({ ...ADDRESS, firstname, lastname, address_1 })
    const buyer = {
      firstname,
      lastname,
      telephone,
      note,
      shipping_address: address,
      billing_address: address,
    }
    await tx.knex('orders').whereIn('id', [guest.id, paid.id]).update(buyer)
  })
  const async = { headers: { Prefer: 'respond-async' } }
  await as(`POST /admin/orders/${paid.id}/refunds`, { body: { amount: 1, reason: note }, ...async })
  await inStore(store.id, (tx) => tx.knex('refunds').update({ status: 'failed', settled_at: now() }))
  const parcel = { carrier: 'Parcel', tracking_number: note }
  const shipment = await as(`POST /admin/orders/${paid.id}/shipments`, { body: parcel })
  const corrected = { tracking_number: `${note}-corrected` }
  await as(`PATCH /admin/orders/${paid.id}/shipments/${shipment.data.id}`, { body: corrected })
  for (const { id } of [guest, paid]) {
    await as(`POST /admin/orders/${id}/notes`, {
      body: { body: note, is_customer_visible: true, notify: true },
    })
    if (id === guest.id) await as(`POST /admin/orders/${id}/mark-paid`, { body: {} })
    await as(`PATCH /admin/orders/${id}`, { body: { status: 'complete', note, metadata: { crm: note } } })
  }
  const shipped = await buildShippedOrder(store, { customerId: customer.id })
  const goodsBack = await buildReturn(store, shipped)
  await inStore(store.id, async (tx) => {
    await tx.knex('returns').update({ comment: note })
    await tx.knex('return_items').update({ note })
  })
  await as(`PATCH /admin/returns/${goodsBack.id}`, { body: { metadata: { crm: note } } })
  await as(`POST /admin/returns/${goodsBack.id}/reject`, { body: { message: note } })
  await as(`PATCH /admin/orders/${shipped.id}`, { body: { status: 'complete' } })
  return { guest, paid, shipped, returnId: goodsBack.id }
}

/** The tables of the whole database in which one of the texts is found, case aside. */
export async function tablesWith(texts: string[]): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE' order by 1`)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: lines } = await superuser.query(
      `select 1 from ${name} t where exists (
         select from unnest($1::text[]) word where position(lower(word) in lower(t::text)) > 0) limit 1`,
      [texts],
    )
    if (lines.length) found.push(name.replace('public.', ''))
  }
  return found
}

export const wordsOf = (marks: Marks): string[] => [
  ...Object.values(marks),
  marks.telephone.replace(/\D/g, ''),
  ...[marks.email, marks.former].map((email) => emailHash(email).toString('hex')),
]

export const TRACES = [
  ...['account_links', 'coupon_uses', 'customer_addresses', 'customer_words', 'customers', 'events'],
  ...['identity_links', 'order_steps', 'order_notes', 'orders', 'pgboss.job_common'],
  ...[
    'product_questions',
    'refunds',
    'return_items',
    'returns',
    'security_events',
    'sessions',
    'shipments',
    'vouchers',
  ],
  'webhook_attempts',
]
