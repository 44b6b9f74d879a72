import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'

const UNITS = 1_000_000
const PAUSE_MS = 50

interface Shop {
  id: string
  key: string
  variantId: string
  shippingId: string
}

/** A shop with more units than the buyers need. */
export async function buildShop(): Promise<Shop> {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: UNITS }] })
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  return { id: store.id, key: store.key, variantId: variants[0]?.id ?? '', shippingId: shipping.id }
}

interface Answered {
  status: number
  json: { data: { token: string; order: { id: string } } | null; error_code: string | null } | null
}

/**
 * Buyers place orders one after another over HTTP. A failed request is repeated with the same key until it succeeds.
 */
export class Buyers {
  /** Acknowledged orders by the idempotency key of their checkout. */
  readonly orders = new Map<string, string>()
  /** The number of responses by status and code. */
  readonly answers = new Map<string, number>()
  readonly #url: string
  readonly #shop: Shop
  readonly #acknowledged = new EventEmitter()
  readonly #buying: Promise<void>[]
  #leaving = false

  constructor(url: string, shop: Shop, count: number) {
    this.#url = url
    this.#shop = shop
    this.#buying = Array.from({ length: count }, () => this.#buy())
  }

  /** Resolves when `count` more orders were acknowledged. */
  async more(count: number, withinMs: number): Promise<void> {
    const wanted = this.orders.size + count
    const signal = AbortSignal.timeout(withinMs)
    while (this.orders.size < wanted) await once(this.#acknowledged, 'order', { signal })
  }

  /** Waits until each buyer has finished its order. */
  async leave(): Promise<void> {
    this.#leaving = true
    await Promise.all(this.#buying)
  }

  async #buy() {
    while (!this.#leaving) {
      const item = { variant_id: this.#shop.variantId, quantity: 1 }
      const { token } = await this.#until('/cart/items', {}, item)
      const key = randomUUID()
      const body = buildCheckoutRequest(this.#shop.shippingId, 'bank_transfer')
      const { order } = await this.#until(
        '/checkout',
        { 'X-Cart-Token': token, 'Idempotency-Key': key },
        body,
      )
      this.orders.set(key, order.id)
      this.#acknowledged.emit('order')
    }
  }

  async #until(path: string, headers: Record<string, string>, body: object) {
    for (;;) {
      const { status, json } = await this.#post(path, headers, body)
      const answer = `${status} ${json ? (json.error_code ?? 'done') : 'not in the envelope'}`
      this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
      if (status < 300 && json?.data) return json.data
      await delay(PAUSE_MS)
    }
  }

  async #post(path: string, headers: Record<string, string>, body: object): Promise<Answered> {
    try {
      const response = await fetch(`${this.#url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Service-Key': this.#shop.key, ...headers },
        body: JSON.stringify(body),
      })
      return { status: response.status, json: (await response.json().catch(() => null)) as Answered['json'] }
    } catch {
      return { status: 0, json: null }
    }
  }
}
