import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SandboxAccess } from './access.ts'
import { Client } from './client.ts'
import { followClock } from './clock.ts'
import { checkOut, confirm, mailsTo, TIMEOUT_MS, until } from './shopping.ts'
import type { Listener } from './story.ts'

const COUNTRY = 'DK'

/**
 * An order at prices that include tax: paid, shipped in two parts, one unit returned and refunded, its buyer exported
 * and anonymized. After each step the order, its mails, its webhooks and the gateway agree.
 */
export async function runGrossStory(access: SandboxAccess, listener: Listener): Promise<void> {
  const store = access.stores.find(({ slug }) => slug === 'atelier')
  assert.ok(store, 'the sandbox has the store atelier')
  const web = new Client(access.base_url, (call) => listener.call(call))
  await followClock(web, access)
  const visitor = web.as({ 'X-Service-Key': store.publishable_key })
  const signedIn = await web.quietly('POST /auth/login', { body: store.owner })
  const staff = web.as({ Authorization: `Bearer ${signedIn.data.access_token}` })

  listener.chapter(
    'A store in Denmark shows prices with tax, and a visitor from Switzerland the same gross price',
  )
  const info = await visitor.call('GET /settings/store-info')
  assert.partialDeepStrictEqual(info.data, { country: COUNTRY, prices_include_tax: true })
  const [listed] = (await visitor.call('GET /products?in_stock=true&sort=-price')).data
  const { data: product } = await visitor.call(`GET /products/${listed.slug}`)
  const [variant] = product.variants
  await staff.call(`POST /admin/variants/${variant.id}/stock`, { body: { delta: 3, note: 'Delivered' } })
  assert.equal(product.tax_rate, 25)
  assert.equal(product.price_net, Math.round((product.price / 1.25) * 100) / 100)
  const abroad = await visitor.call(`GET /products/${product.slug}?country=CH`)
  assert.partialDeepStrictEqual(abroad.data, { price: product.price, price_net: product.price, tax_rate: 0 })

  listener.chapter('A customer pays an order by card: its tax is within its total')
  const email = `bo-${randomUUID()}@example.com`
  const password = 'a long enough password'
  const name = { firstname: 'Bo', lastname: 'Mikkelsen' }
  const registered = await visitor.call('POST /auth/register', { body: { email, password, ...name } })
  const customer = visitor.as({ Authorization: `Bearer ${registered.data.access_token}` })
  const hook = `gross-${randomUUID()}`
  const endpoint = await staff.call('POST /admin/webhooks', {
    body: {
      url: `${access.receiver_url}/hooks/${hook}`,
      events: ['order.refunded'],
      description: 'Gross prices',
    },
  })
  await customer.call('POST /cart/items', { body: { variant_id: variant.id, quantity: 3 } })
  const address = { address_1: 'Havnegade 3', city: 'København', postcode: '1058', country: COUNTRY }
  const { order, payment } = await checkOut(customer, { ...name, shipping_address: { ...name, ...address } })
  const cents = (amount: number) => Math.round(amount * 100)
  assert.equal(cents(order.total), cents(order.subtotal) + cents(order.shipping_total))
  assert.equal(cents(order.total), cents(order.net_total) + cents(order.tax_total))
  await confirm(web, access, payment.client_secret, 'pm_card_visa')
  const orderView = `GET /orders/${order.id}`
  await until(customer, orderView, ({ data }) => data.status === 'processing')

  listener.chapter('The order ships in two parts; each shipment is mailed with its tracking number')
  const [line] = order.items
  const ship = (quantity: number, tracking_number: string) =>
    staff.call(`POST /admin/orders/${order.id}/shipments`, {
      body: { items: [{ order_item_id: line.id, quantity }], carrier: 'PostNord', tracking_number },
    })
  await ship(1, 'DK-1')
  assert.equal((await customer.call(orderView)).data.fulfillment_status, 'partially_fulfilled')
  await ship(2, 'DK-2')
  assert.equal((await customer.call(orderView)).data.fulfillment_status, 'fulfilled')
  const mailed = await mailsTo(web, access, email, 5)
  for (const number of ['DK-1', 'DK-2'])
    assert.ok(
      mailed.some(({ text }) => text.includes(number)),
      number,
    )

  listener.chapter('One unit comes back and is refunded with the tax that was in its price')
  const requested = await customer.call('POST /returns', {
    body: {
      order_id: order.id,
      items: [{ order_item_id: line.id, quantity: 1, reason: 'not_as_described' }],
    },
  })
  const rma = `/admin/returns/${requested.data.id}`
  await staff.call(`POST ${rma}/approve`, { body: { message: 'Havnegade 1, 1058 København' } })
  await staff.call(`POST ${rma}/receive`, {
    body: {
      items: [
        { id: requested.data.items[0].id, quantity: 1, disposition: 'restocked', condition: 'unopened' },
      ],
    },
  })
  await staff.as({ 'Idempotency-Key': randomUUID() }).call(`POST ${rma}/refund`, { body: {} })
  const refunded = await until(customer, orderView, ({ data }) => data.amount_refunded > 0)
  assert.partialDeepStrictEqual(refunded.data, {
    amount_refunded: variant.current_price,
    payment_status: 'partially_refunded',
  })
  await staff.call(`POST ${rma}/restock`)
  await until(staff, `GET ${rma}`, ({ data }) => data.status === 'completed')
  const [intent = ''] = payment.client_secret.split('_secret_')
  const atGateway = await web.call(`GET /v1/refunds?payment_intent=${intent}`, {
    at: access.gateway_url,
    headers: { Authorization: `Bearer ${access.gateway_secret_key}` },
  })
  assert.deepEqual(
    atGateway.body.data.map(({ amount, status }: { amount: number; status: string }) => ({ amount, status })),
    [{ amount: cents(variant.current_price), status: 'succeeded' }],
  )
  const arrived = await web.call(`GET /hooks/${hook}/requests?wait_for=1&timeout_ms=${TIMEOUT_MS}`, {
    at: access.receiver_url,
  })
  const events = arrived.body.map(({ body }: { body: string }) => JSON.parse(body))
  const refundEvent = events.findLast(({ type }: { type: string }) => type === 'order.refunded')
  assert.equal(refundEvent.data.amount_refunded, variant.current_price)

  listener.chapter(
    'The order is completed; its buyer’s data is exported, then anonymized, and the amounts stay',
  )
  const { data: found } = await staff.call(`GET /admin/customers?q=${encodeURIComponent(email)}`)
  assert.partialDeepStrictEqual(found, [{ email, orders_count: 1 }])
  const exported = await staff.call(`GET /admin/customers/${found[0].id}/export`)
  assert.ok(JSON.stringify(exported.body).includes(order.number), 'the export has the order')
  const anonymize = () => staff.call(`POST /admin/customers/${found[0].id}/anonymize`, { body: {} })
  assert.equal((await anonymize()).body.error_code, 'customer.has_open_business')
  await staff.call(`PATCH /admin/orders/${order.id}`, { body: { status: 'complete' } })
  assert.equal((await anonymize()).status, 200)
  const kept = await staff.call(`GET /admin/orders/${order.id}`)
  assert.partialDeepStrictEqual(kept.data, { total: order.total, amount_refunded: variant.current_price })
  for (const personal of [email, name.lastname, address.address_1])
    assert.ok(!JSON.stringify(kept.body).includes(personal), `${personal} is gone`)
  assert.equal((await customer.call('GET /auth/me')).status, 401)
  await staff.call(`DELETE /admin/webhooks/${endpoint.data.id}`)
}
