import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SandboxAccess } from './access.ts'
import type { Answer, Client } from './client.ts'

/** The default address of a buyer. */
const ADDRESS = {
  firstname: 'Ada',
  lastname: 'Brandt',
  address_1: 'Quay 12',
  city: 'Kiel',
  postcode: '24103',
  country: 'DE',
}
/** The longest wait for a worker, a mail or a webhook. */
export const TIMEOUT_MS = 20_000
const PAUSE_MS = 100

export interface Picked {
  slug: string
  variantId: string
}

/** Two products that have a variant with enough stock to buy. */
export async function pickProducts(visitor: Client, list: Answer): Promise<[Picked, Picked]> {
  const picked: Picked[] = []
  for (const { slug } of list.data) {
    const { data } = await visitor.quietly(`GET /products/${slug}`)
    const variant = data.variants[0]
    if (variant.stock_available >= 5 && !variant.backorder && variant.price >= 10)
      picked.push({ slug, variantId: variant.id })
    const [first, second] = picked
    if (first && second) return [first, second]
  }
  throw new Error('The store has too little in stock for a story: start with a fresh SANDBOX_DIR')
}

/** The available units of the first variant of a product. */
export async function stockOf(slug: string, visitor: Client): Promise<number> {
  const { data } = await visitor.quietly(`GET /products/${slug}`)
  return data.variants[0].stock_available
}

/** Checks out a cart with the first shipping method to its address, at the total that the cart shows. */
export async function checkOut(
  buyer: Client,
  body: { shipping_address?: Partial<typeof ADDRESS> } & Record<string, unknown> = {},
) {
  const { country, postcode } = { ...ADDRESS, ...body.shipping_address }
  const destination = `country=${country}&postcode=${postcode}`
  const methods = await buyer.call(`GET /cart/shipping-methods?${destination}`)
  const methodId = methods.data[0].id
  const priced = await buyer.call(`GET /cart?${destination}&shipping_method_id=${methodId}`)
  assert.ok(priced.data.tax_total > 0, 'the demo store taxes')
  return place(buyer, { shipping_method_id: methodId, expected_total: priced.data.total, ...body })
}

/** Places an order, by default paid by card, and returns it with its payment. */
export async function place(buyer: Client, body: object) {
  const placed = await buyer.as({ 'Idempotency-Key': randomUUID() }).call('POST /checkout', {
    body: {
      firstname: 'Ada',
      lastname: 'Brandt',
      telephone: '+49 431 000000',
      shipping_address: ADDRESS,
      payment_method: 'card',
      ...body,
    },
  })
  assert.equal(placed.status, 201, JSON.stringify(placed.body))
  return placed.data
}

/** Orders units of a variant as a guest with a new cart. */
export async function guestOrder(visitor: Client, variantId: string, body: object = {}, quantity = 1) {
  const filled = await visitor.call('POST /cart/items', { body: { variant_id: variantId, quantity } })
  return checkOut(visitor.as({ 'X-Cart-Token': filled.data.token }), { email: 'guest@example.com', ...body })
}

/** Confirms a payment or a card setup at the gateway as the buyer's browser does, with its client secret. */
export function confirm(
  web: Client,
  access: SandboxAccess,
  clientSecret: string,
  card: string,
): Promise<Answer> {
  const [intent = ''] = clientSecret.split('_secret_')
  const kind = intent.startsWith('seti_') ? 'setup_intents' : 'payment_intents'
  return web.call(`POST /v1/${kind}/${intent}/confirm`, {
    at: access.gateway_url,
    headers: { Authorization: 'Bearer pk_test_browser' },
    form: { payment_method: card, client_secret: clientSecret, return_url: 'https://harbor.example/thanks' },
  })
}

/** A recipient's mails, newest first, once there are `count`. */
export async function mailsTo(
  web: Client,
  access: SandboxAccess,
  email: string,
  count: number,
): Promise<{ subject: string; text: string }[]> {
  const wait = `wait_for=${count}&timeout_ms=${TIMEOUT_MS}`
  const mails = await web.call(`GET /mails?to=${encodeURIComponent(email)}&${wait}`, {
    at: access.mailbox_url,
  })
  return mails.body
}

/** Polls until the response satisfies the condition, since workers and webhooks need time. */
export async function until(
  client: Client,
  line: string,
  awaited: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const answer = await client.quietly(line)
    if (answer.status === 200 && awaited(answer)) return answer
    assert.ok(Date.now() < deadline, `${line} is still ${JSON.stringify(answer.body)}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
