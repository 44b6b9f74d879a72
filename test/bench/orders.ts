import { Pool } from 'undici'
import type { Store } from '#shared/stores/store.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildCheckoutRequest } from '#test/support/builders/orders.ts'
import { cpuText, startCpuClock } from './cpu-time.ts'
import { fromNetwork } from './measure.ts'
import { median } from './median.ts'

const CONCURRENCY = 8
const MS = 1_000

interface Subject {
  store: Store
  key: string
  serviceUrl: string
}

/** Orders that are placed to be shipped. */
const SHIPPED_ORDERS = 400

type PaymentMethod = 'bank_transfer' | 'cash_on_delivery'
type Buy = (number: number, buyer: number, paymentMethod?: PaymentMethod) => Promise<string>

/** Lets a store sell, and returns a function by which guests of eight networks each order one unit. */
export async function openShop({ store, key, serviceUrl }: Subject): Promise<{ pool: Pool; buy: Buy }> {
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  const pool = new Pool(serviceUrl, { connections: CONCURRENCY })
  const call = callOn(pool, { 'X-Service-Key': key })
  const variantIds = await variantsOnSale(call)

  const buy: Buy = async (number, buyer, paymentMethod = 'bank_transfer') => {
    const item = { variant_id: variantIds[number % variantIds.length], quantity: 1 }
    const network = fromNetwork(buyer)
    const { token } = await call('POST', '/cart/items', item, network)
    const headers = { ...network, 'X-Cart-Token': token, 'Idempotency-Key': crypto.randomUUID() }
    const checkout = {
      ...buildCheckoutRequest(shipping.id, paymentMethod),
      email: `buyer-${buyer}@bench.example`,
    }
    return (await call('POST', '/checkout', checkout, headers)).order.id as string
  }
  return { pool, buy }
}

/** Places orders, eight at a time. Returns their ids. */
export const placeOrders = (buy: Buy, count: number, paymentMethod?: PaymentMethod): Promise<string[]> =>
  inParallel(count, (number, buyer) => buy(number, buyer, paymentMethod))

interface Measurement {
  store: Store
  shop: Awaited<ReturnType<typeof openShop>>
  /** The web process. */
  pid: number
  rounds: number
  seconds: number
}

/** Guest orders of one unit by eight concurrent buyers of eight networks, and their shipments: rows of the table. */
export async function measureOrders({
  store,
  shop: { pool, buy },
  pid,
  rounds,
  seconds,
}: Measurement): Promise<string[][]> {
  await perSecond(async (...buyer) => void (await buy(...buyer)), 1)
  const spent = await startCpuClock(pid)
  const counts: number[] = []
  for (let round = 0; round < rounds; round++)
    counts.push(await perSecond(async (...buyer) => void (await buy(...buyer)), seconds))
  const cpu = spent(counts.reduce((orders, count) => orders + count * seconds, 0))
  const orderIds = await placeOrders(buy, SHIPPED_ORDERS, 'cash_on_delivery')
  const { token } = await buildStaff(store, { role: 'administrator' })
  const ship = callOn(pool, { Authorization: `Bearer ${token}` })
  const begun = performance.now()
  await inParallel(SHIPPED_ORDERS, (number) =>
    ship(
      'POST',
      `/admin/orders/${orderIds[number]}/shipments`,
      { carrier: 'DHL', tracking_number: `${number}` },
      {},
    ),
  )
  const shipped = (SHIPPED_ORDERS * MS) / (performance.now() - begun)
  return [
    ['Orders placed, with their carts', '', `${median(counts).toFixed(0)}/s`, '', '≥ 200/s'],
    ['Processor time of an order, with its cart', '', cpuText(cpu), '', '≤ 10 ms: 200/s on two cores'],
    ['Shipments recorded', '', `${shipped.toFixed(0)}/s`, '', '≥ orders placed'],
  ]
}

/** Runs numbered work, eight at a time. Returns the results in order of number. */
async function inParallel<T>(
  count: number,
  work: (number: number, worker: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const run = async (worker: number) => {
    for (let number = next++; number < count; number = next++) results[number] = await work(number, worker)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, worker) => run(worker)))
  return results
}

async function perSecond(
  work: (number: number, worker: number) => Promise<void>,
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * MS
  let done = 0
  const run = async (worker: number) => {
    while (performance.now() < end) await work(done++, worker)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, worker) => run(worker)))
  return done / seconds
}

type Call = ReturnType<typeof callOn>

const callOn =
  (pool: Pool, authorization: Record<string, string>) =>
  async (method: 'GET' | 'POST', path: string, body: unknown, headers: Record<string, string>) => {
    const response = await pool.request({
      method,
      path: `/api/v1${path}`,
      headers: { ...authorization, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
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
