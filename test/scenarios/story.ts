import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SandboxAccess } from './access.ts'
import { Client, type ReportedCall } from './client.ts'
import { advanceClock, followClock } from './clock.ts'
import {
  checkOut,
  confirm,
  guestOrder,
  mailsTo,
  pickProducts,
  place,
  stockOf,
  TIMEOUT_MS,
  until,
} from './shopping.ts'

/** Receives the title of each chapter of a story, and then its calls. */
export interface Listener {
  chapter(title: string): void
  call(call: ReportedCall): void
}

/**
 * A whole order from catalog to refund, over HTTP only, against a running sandbox. Every step asserts its result,
 * so it is both a walkthrough for newcomers and a test.
 */
export async function runStory(access: SandboxAccess, listener: Listener): Promise<void> {
  const store = access.stores.find(({ slug }) => slug === 'harbor')
  assert.ok(store, 'the sandbox has the store harbor')
  const web = new Client(access.base_url, (call) => listener.call(call))
  await followClock(web, access)
  const visitor = web.as({ 'X-Service-Key': store.publishable_key })
  const owner = store.owner

  listener.chapter('A visitor opens the store, by its key and by its domain')
  const info = await visitor.call('GET /settings/store-info')
  assert.equal(info.data.slug, 'harbor')
  const byDomain = await web.as({ Host: store.domain }).call('GET /settings/store-info')
  assert.deepEqual(byDomain.data, info.data)

  listener.chapter('Browses, searches, opens a product')
  const categories = await visitor.call('GET /categories')
  assert.ok(categories.data.length > 3)
  const list = await visitor.call('GET /products?page_size=50&in_stock=true')
  assert.equal(list.body.meta.page_size, 50)
  const search = await visitor.call('GET /products?q=mug')
  assert.ok(search.data.some(({ name }: { name: string }) => /mug/i.test(name)))
  const [first, second] = await pickProducts(visitor, list)
  const detail = await visitor.call(`GET /products/${first.slug}`)
  assert.equal(detail.data.slug, first.slug)
  const again = await visitor
    .as({ 'If-None-Match': String(detail.headers.etag) })
    .call(`GET /products/${first.slug}`)
  assert.equal(again.status, 304)

  listener.chapter('Fills a cart as a guest, with a coupon, then registers: the carts are merged')
  const filled = await visitor.call('POST /cart/items', {
    body: { variant_id: first.variantId, quantity: 1 },
  })
  assert.equal(filled.status, 201)
  const guest = visitor.as({ 'X-Cart-Token': filled.data.token })
  const cart = await guest.call('POST /cart/items', { body: { variant_id: second.variantId, quantity: 2 } })
  assert.equal(cart.data.items.length, 2)
  const discounted = await guest.call('POST /cart/coupon', { body: { code: 'welcome10' } })
  assert.ok(discounted.data.discount_total > 0)
  const email = `ada-${randomUUID()}@example.com`
  const registered = await guest.call('POST /auth/register', {
    body: {
      email,
      password: 'a long enough password',
      firstname: 'Ada',
      lastname: 'Brandt',
    },
  })
  assert.equal(registered.status, 201)
  const customer = visitor.as({ Authorization: `Bearer ${registered.data.access_token}` })
  const me = await customer.call('GET /auth/me')
  assert.equal(me.data.recovery_codes_remaining, 0)
  const merged = await customer.call('GET /cart')
  assert.equal(merged.data.items.length, 2)
  assert.equal(merged.data.coupon.code, 'WELCOME10')

  listener.chapter(
    'Checks out by card; the gateway confirms, and its signed webhook makes the order processing',
  )
  await customer.call('GET /settings/payment-methods')
  const stockBefore = await stockOf(first.slug, visitor)
  const { order, payment } = await checkOut(customer)
  assert.equal(order.status, 'pending')
  assert.ok(order.total >= merged.data.total)
  assert.partialDeepStrictEqual(order, {
    coupon_code: 'WELCOME10',
    discount_total: discounted.data.discount_total,
  })
  const confirmed = await confirm(web, access, payment.client_secret, 'pm_card_visa')
  assert.equal(confirmed.body.status, 'succeeded')
  const paid = await until(customer, `GET /orders/${order.id}`, ({ data }) => data.status === 'processing')
  assert.equal(paid.data.payment_status, 'paid')
  assert.equal(await stockOf(first.slug, visitor), stockBefore - 1, 'stock went down')

  listener.chapter('Staff sign in, see the order, and register a webhook')
  const signedIn = await web.call('POST /auth/login', { body: owner })
  const staff = web.as({ Authorization: `Bearer ${signedIn.data.access_token}` })
  const orders = await staff.call('GET /admin/orders?status=processing')
  assert.ok(orders.data.some(({ id }: { id: string }) => id === order.id))
  await staff.call(`GET /admin/orders/${order.id}`)
  const hook = `story-${randomUUID()}`
  const endpoint = await staff.call('POST /admin/webhooks', {
    body: {
      url: `${access.receiver_url}/hooks/${hook}`,
      events: ['order.refunded'],
      description: 'The walkthrough',
    },
  })
  assert.equal(endpoint.status, 201)
  await staff.call(`POST /admin/webhooks/${endpoint.data.id}/test`)

  listener.chapter('The customer keeps a product for later and asks about it; staff publish an answer')
  const kept = await customer.call('POST /wishlist', { body: { product_id: detail.data.id } })
  assert.equal(kept.data.price, detail.data.current_price)
  const wishlist = await customer.call('GET /wishlist')
  assert.deepEqual(wishlist.data, [kept.data])
  const body = 'Does it go over an open fire?'
  const asked = await customer.call(`POST /products/${first.slug}/questions`, { body: { body } })
  assert.equal(asked.data.status, 'pending')
  const waiting = await staff.call('GET /admin/questions?status=pending')
  assert.ok(waiting.data.some(({ id }: { id: string }) => id === asked.data.id))
  await staff.call(`PATCH /admin/questions/${asked.data.id}`, {
    body: { status: 'approved', answer_body: 'It does, without the lid.' },
  })
  const questions = await visitor.call(`GET /products/${first.slug}/questions`)
  assert.equal(questions.data[0].answer_body, 'It does, without the lid.')
  // The mails so far: verify the address, order placed, order paid, and this one.
  const letters = await mailsTo(web, access, email, 4)
  assert.ok(letters.some(({ text }) => /open fire\?.*without the lid/s.test(text)))

  listener.chapter('Staff set a special price; the cart explains the price')
  const rules = `PUT /admin/products/${detail.data.id}/price-rules`
  await staff.call(rules, {
    body: {
      items: [
        { kind: 'special', price: 0.5 },
        { kind: 'quantity', min_quantity: 3, price: 0.4 },
      ],
    },
  })
  const special = await visitor.call(`GET /products/${first.slug}`)
  assert.equal(special.data.special_price, 0.5)
  assert.partialDeepStrictEqual(special.data.quantity_discounts, [{ min_quantity: 3, price: 0.4 }])
  const three = await visitor.call('POST /cart/items', { body: { variant_id: first.variantId, quantity: 3 } })
  const explained = await visitor.as({ 'X-Cart-Token': three.data.token }).call('GET /cart?explain=true')
  const [applied] = explained.data.items[0].explanation.filter((one: { applied: boolean }) => one.applied)
  assert.partialDeepStrictEqual(applied, { kind: 'quantity', price: 0.4 })
  await staff.call(rules, { body: { items: [] } })

  listener.chapter('Refund a part, then the rest by setting the order to refunded')
  const part = await staff
    .as({ 'Idempotency-Key': randomUUID() })
    .call(`POST /admin/orders/${order.id}/refunds`, {
      body: { amount: 5, reason: 'A scratch on the glaze' },
    })
  assert.ok([201, 202].includes(part.status))
  await until(staff, `GET /admin/orders/${order.id}`, ({ data }) => data.amount_refunded === 5)
  const refunded = await staff.call(`PATCH /admin/orders/${order.id}`, { body: { status: 'refunded' } })
  assert.ok([200, 202].includes(refunded.status))
  const closed = await until(staff, `GET /admin/orders/${order.id}`, ({ data }) => data.status === 'refunded')
  assert.equal(closed.data.amount_refunded, order.total)
  const refunds = await staff.call(`GET /admin/orders/${order.id}/refunds`)
  assert.deepEqual(
    refunds.data.map(({ status }: { status: string }) => status),
    ['succeeded', 'succeeded'],
  )

  listener.chapter('order.refunded arrives twice, signed; the deliveries are listed')
  const arrived = await web.call(`GET /hooks/${hook}/requests?wait_for=3&timeout_ms=${TIMEOUT_MS}`, {
    at: access.receiver_url,
  })
  const events = arrived.body.map((received: { headers: Record<string, string>; body: string }) =>
    new Webhook(endpoint.data.secret).verify(received.body, received.headers),
  )
  const amounts = events
    .filter(({ type }: { type: string }) => type === 'order.refunded')
    .map(({ data }: { data: { amount_refunded: number } }) => data.amount_refunded)
  assert.deepEqual(amounts, [5, order.total])
  const deliveries = await until(
    staff,
    `GET /admin/webhooks/${endpoint.data.id}/deliveries`,
    ({ data }) => data.length === 3 && data.every(({ status }: { status: string }) => status === 'succeeded'),
  )
  assert.equal(deliveries.body.meta.total, 3)
  await staff.call(`GET /admin/webhooks/${endpoint.data.id}/deliveries`)

  listener.chapter('A card is declined; the payment is reopened and succeeds')
  const declined = await guestOrder(visitor, second.variantId)
  const refusal = await confirm(web, access, declined.payment.client_secret, 'pm_card_chargeDeclined')
  assert.equal(refusal.status, 402)
  const guestView = `GET /orders/${declined.order.id}?access_token=${declined.order.access_token}`
  await until(visitor, guestView, ({ data }) => data.status === 'failed')
  const reopened = await visitor
    .as({ 'Idempotency-Key': randomUUID() })
    .call(`POST /orders/${declined.order.id}/pay?access_token=${declined.order.access_token}`, { body: {} })
  assert.equal(reopened.status, 200)
  await confirm(web, access, reopened.data.payment.client_secret, 'pm_card_visa')
  await until(visitor, guestView, ({ data }) => data.status === 'processing')
  await visitor.call(guestView)

  listener.chapter(
    'An order ships in two parts; its guest looks it up; money goes back in the gateway’s dashboard',
  )
  const parts = await guestOrder(visitor, second.variantId, {}, 2)
  const partsView = `GET /orders/${parts.order.id}?access_token=${parts.order.access_token}`
  await confirm(web, access, parts.payment.client_secret, 'pm_card_visa')
  await until(visitor, partsView, ({ data }) => data.status === 'processing')
  const [line] = parts.order.items
  const shipments = `POST /admin/orders/${parts.order.id}/shipments`
  await staff.call(shipments, { body: { items: [{ order_item_id: line.id, quantity: 1 }], carrier: 'DHL' } })
  assert.equal((await visitor.call(partsView)).data.fulfillment_status, 'partially_fulfilled')
  await staff.call(shipments, { body: { carrier: 'DHL', tracking_number: '00340434161094042557' } })
  const lookedUp = await visitor.call('POST /orders/lookup', {
    body: { number: parts.order.number, email: 'guest@example.com' },
  })
  assert.partialDeepStrictEqual(lookedUp.data.order, { status: 'shipped', fulfillment_status: 'fulfilled' })
  const [intent = ''] = parts.payment.client_secret.split('_secret_')
  await web.call('POST /_sandbox/refunds', {
    at: access.gateway_url,
    body: { payment_intent: intent, amount: 200 },
  })
  await until(visitor, partsView, ({ data }) => data.amount_refunded === 2)
  const history = await staff.call(`GET /admin/orders/${parts.order.id}/history`)
  assert.ok(history.data.some(({ kind }: { kind: string }) => kind === 'refund'))

  listener.chapter(
    'A gift voucher is bought, mailed to its recipient, and pays a part of an order beside the card',
  )
  const recipient = `grace-${randomUUID()}@example.com`
  const gift = {
    amount: 8,
    to_name: 'Grace',
    to_email: recipient,
    from_name: 'Ada',
    from_email: email,
    message: 'For your kitchen',
  }
  const wrapped = await visitor.call('POST /cart/items', { body: { voucher: gift } })
  const bought = await place(visitor.as({ 'X-Cart-Token': wrapped.data.token }), { email })
  await confirm(web, access, bought.payment.client_secret, 'pm_card_visa')
  const [present] = await mailsTo(web, access, recipient, 1)
  const [code = ''] = /(\w{4}-){3}\w{4}/.exec(present?.text ?? '') ?? []
  assert.equal((await visitor.call(`GET /vouchers/${code}`)).data.amount_remaining, 8)
  const spent = await guestOrder(visitor, second.variantId, { voucher_code: code })
  assert.equal(spent.order.voucher_total, 8)
  const spentView = `GET /orders/${spent.order.id}?access_token=${spent.order.access_token}`
  await confirm(web, access, spent.payment.client_secret, 'pm_card_visa')
  const settled = await until(visitor, spentView, ({ data }) => data.status === 'processing')
  assert.equal(settled.data.amount_captured, spent.order.total)
  await staff.call(`PATCH /admin/orders/${spent.order.id}`, { body: { status: 'refunded' } })
  await until(visitor, spentView, ({ data }) => data.status === 'refunded')
  assert.equal(
    (await visitor.call(`GET /vouchers/${code}`)).data.amount_remaining,
    8,
    'the voucher amount is restored',
  )

  listener.chapter("Staff browse the till's catalog, live, and make a product of an item")
  const listing = await staff.call('GET /admin/remote/catalog?category_id=cat-1&is_active=true&page_size=20')
  const item = listing.data.items.find(
    ({ linked, price }: { linked: boolean; price: string }) => !linked && /^\d+\.\d0$/.test(price),
  )
  const imported = await staff.call(`POST /admin/remote/catalog/${item.id}/import`)
  assert.deepEqual(
    { status: imported.status, price: imported.data.price },
    { status: 201, price: Number(item.price) },
  )
  const seen = await staff.call(`GET /admin/remote/catalog?q=${item.sku}`)
  assert.equal(seen.data.items[0].linked_product_id, imported.data.id)
  await staff.call(`DELETE /admin/products/${imported.data.id}`)

  listener.chapter('The customer signs out everywhere, and the webhook is deleted')
  await customer.call('POST /auth/logout?all=true', {
    body: { refresh_token: registered.data.refresh_token },
  })
  const over = await customer.call('GET /auth/me')
  assert.equal(over.body.error_code, 'auth.session_revoked')
  await staff.call(`DELETE /admin/webhooks/${endpoint.data.id}`)

  listener.chapter('An unpaid order expires and gives its stock back: the sandbox’s clock moves on')
  const settings = await staff.call('GET /admin/settings')
  const free = await stockOf(second.slug, visitor)
  const left = await guestOrder(visitor, second.variantId)
  assert.equal(await stockOf(second.slug, visitor), free - 1)
  await advanceClock(web, access, `PT${settings.data.unpaid_order_seconds}S`)
  const leftView = `GET /orders/${left.order.id}?access_token=${left.order.access_token}`
  const expired = await visitor.call(leftView)
  assert.equal(expired.data.status, 'failed')
  assert.equal(await stockOf(second.slug, visitor), free, 'the stock is restored')
}
