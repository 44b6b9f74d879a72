import { Pool } from 'undici'
import type { Store } from '#shared/stores/store.ts'
import { buildCheckoutRequest } from '#test/support/build-orders.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/build-settings.ts'
import { median } from './median.ts'

const CONCURRENCY = 8
const MS = 1_000

interface Subject {
  store: Store
  key: string
  serviceUrl: string
  rounds: number
  seconds: number
}

/** Guest orders of one unit, paid by bank transfer, by eight concurrent buyers: a row of the table. */
export async function measureOrders({ store, key, serviceUrl, rounds, seconds }: Subject): Promise<string[]> {
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  const checkout = { ...buildCheckoutRequest(shipping.id, 'bank_transfer'), email: 'buyer@bench.example' }
  const pool = new Pool(serviceUrl, { connections: CONCURRENCY })
  const call = callOn(pool, key)
  const variantIds = await variantsOnSale(call)

  const buy = async (number: number) => {
    const item = { variant_id: variantIds[number % variantIds.length], quantity: 1 }
    const { token } = await call('POST', '/cart/items', item, {})
    const headers = { 'X-Cart-Token': token, 'Idempotency-Key': crypto.randomUUID() }
    await call('POST', '/checkout', checkout, headers)
  }
  const counts: number[] = []
  for (let round = 0; round <= rounds; round++) counts.push(await perSecond(buy, round ? seconds : 1))
  await pool.close()
  return ['Orders placed, with their carts', '', `${median(counts.slice(1)).toFixed(0)}/s`, '', '≥ 200/s']
}

async function perSecond(work: (number: number) => Promise<void>, seconds: number): Promise<number> {
  const end = performance.now() + seconds * MS
  let done = 0
  const worker = async () => {
    while (performance.now() < end) await work(done++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return done / seconds
}

type Call = ReturnType<typeof callOn>

const callOn =
  (pool: Pool, key: string) =>
  async (method: 'GET' | 'POST', path: string, body: unknown, headers: Record<string, string>) => {
    const response = await pool.request({
      method,
      path: `/api/v1${path}`,
      headers: { 'X-Service-Key': key, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      body: body ? JSON.stringify(body) : null,
    })
    // biome-ignore lint/suspicious/noExplicitAny: a bench reads what the operation answers
    const { data, error } = (await response.body.json()) as any
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${error}`)
    return data
  }

async function variantsOnSale(call: Call): Promise<string[]> {
  const products = await call('GET', '/products?page_size=100', null, {})
  const details = products.map(({ slug }: { slug: string }) => call('GET', `/products/${slug}`, null, {}))
  return (await Promise.all(details)).flatMap(({ variants }) => variants.map(({ id }: { id: string }) => id))
}
