import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewVariant } from '#shared/catalog/new-product.ts'
import type { PriceRule } from '#shared/catalog/price-rule.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShop, checkOut } from '#test/support/builders/place-orders.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'
import { discardJobs, drainJobs, runScheduled } from '#test/support/processes/jobs.ts'
import { enqueuePriceChanges } from '#workers/catalog/enqueue-price-changes.ts'

const START = new Date('2027-03-01T08:00:00.000Z')
const END = new Date('2027-03-08T08:00:00.000Z')
const justBefore = (moment: Date) => new Date(moment.getTime() - 1)
const rule = (priceMinor: bigint, given: Partial<PriceRule> = {}): PriceRule => ({
  minQuantity: 1,
  priceMinor,
  startsAt: null,
  endsAt: null,
  ...given,
})

let asked = 0

/** Reads with a query of its own, so that no answer is kept from before the clock was moved. */
async function listed(store: BuiltStore, query = '') {
  const { data } = await request(`GET /products?price_max=${1_000_000 + ++asked}${query}`, { store })
  return data
}

const slugs = async (store: BuiltStore, query: string) =>
  (await listed(store, query)).map(({ slug }: { slug: string }) => slug)

interface Bought {
  unit_price: number
  line_total: number
  variant: { price: number; sale_price: number | null }
}

async function bought(store: BuiltStore, variantId: string, quantity: number): Promise<Bought> {
  const body = { variant_id: variantId, quantity }
  return (await request('POST /cart/items', { store, body })).data.items[0]
}

const CASES: [string, Partial<NewVariant>, PriceRule[], object][] = [
  ['the base price', {}, [], { special: null, one: 10, ten: 10 }],
  ['a special price', {}, [rule(800n)], { special: 8, one: 8, ten: 8 }],
  ['the lowest of special prices', {}, [rule(800n), rule(700n), rule(900n)], { special: 7, one: 7, ten: 7 }],
  ['a sale below a special price', { salePriceMinor: 600n }, [rule(800n)], { special: 6, one: 6, ten: 6 }],
  ['a special price below a sale', { salePriceMinor: 900n }, [rule(800n)], { special: 8, one: 8, ten: 8 }],
  ['not a special price above the base', {}, [rule(1_200n)], { special: null, one: 10, ten: 10 }],
  ['not a special price as high as the base', {}, [rule(1_000n)], { special: null, one: 10, ten: 10 }],
  ['not a sale above the base', { salePriceMinor: 1_200n }, [], { special: null, one: 10, ten: 10 }],
  ['a quantity discount', {}, [rule(700n, { minQuantity: 10 })], { special: null, one: 10, ten: 7 }],
  [
    'not a quantity discount for more',
    {},
    [rule(700n, { minQuantity: 11 })],
    { special: null, one: 10, ten: 10 },
  ],
  [
    'the lowest of quantity discounts, though it asks for fewer',
    {},
    [rule(700n, { minQuantity: 5 }), rule(800n, { minQuantity: 10 })],
    { special: null, one: 10, ten: 7 },
  ],
  [
    'a special price below a quantity discount',
    {},
    [rule(600n), rule(700n, { minQuantity: 10 })],
    { special: 6, one: 6, ten: 6 },
  ],
  [
    "the variant's own price below all",
    { priceMinor: 500n },
    [rule(600n)],
    { special: null, one: 5, ten: 5 },
  ],
]

for (const [name, variant, priceRules, expected] of CASES)
  test(`list, detail and cart apply ${name}`, async () => {
    const store = await buildStore()
    const { slug, variants } = await buildProduct(store, { priceRules, variants: [variant] })
    const [id] = variants.map((one) => one.id) as [string]

    const [card] = await listed(store)
    const page = await request(`GET /products/${slug}`, { store })
    const [one, ten] = [await bought(store, id, 1), await bought(store, id, 10)]

    assert.deepEqual({ special: card.special_price, one: one.unit_price, ten: ten.unit_price }, expected)
    for (const shown of [card, page.data]) {
      assert.equal(shown.special_price, card.special_price)
      assert.equal(shown.current_price, one.unit_price)
      assert.equal(shown.variants[0].current_price, one.unit_price)
    }
    assert.equal(ten.line_total, ten.unit_price * 10)
  })

test('GET /products/{slug} returns the running quantity discounts', async () => {
  const store = await buildStore()
  freezeClock(START)
  const ended = { endsAt: START }
  const { slug } = await buildProduct(store, {
    priceRules: [
      rule(950n),
      rule(700n, { minQuantity: 20 }),
      rule(800n, { minQuantity: 10 }),
      rule(850n, { minQuantity: 10 }),
      rule(100n, { minQuantity: 5, ...ended }),
      rule(200n, { minQuantity: 6, startsAt: END }),
    ],
  })

  const { data } = await request(`GET /products/${slug}`, { store })

  assert.deepEqual(data.quantity_discounts, [
    { min_quantity: 10, price: 8, price_net: 8 },
    { min_quantity: 20, price: 7, price_net: 7 },
  ])
})

test('a special price and a sale apply from their start and until before their end', async () => {
  const store = await buildStore()
  freezeClock(justBefore(START))
  const window = { startsAt: START, endsAt: END }
  const special = await buildProduct(store, { slug: 'special', priceRules: [rule(800n, window)] })
  const sale = await buildProduct(store, {
    slug: 'sale',
    variants: [{ salePriceMinor: 700n, saleStartsAt: START, saleEndsAt: END }],
  })
  const bulk = await buildProduct(store, {
    slug: 'bulk',
    priceRules: [rule(600n, { minQuantity: 2, ...window })],
  })
  const cards = async () =>
    (await listed(store)).map((card: Record<string, number | null>) => card.special_price)
  const cart = async () => {
    const lines = await Promise.all(
      [special, sale, bulk].map(({ variants }) => bought(store, variants[0]?.id ?? '', 2)),
    )
    return [...lines.map((line) => line.unit_price), lines[1]?.variant.sale_price]
  }
  const at = async (moment: Date) => {
    freezeClock(moment)
    return [await cards(), await cart()]
  }

  const closed = [
    [null, null, null],
    [10, 10, 10, null],
  ]
  const open = [
    [8, 7, null],
    [8, 7, 6, 7],
  ]
  assert.deepEqual(await at(justBefore(START)), closed)
  assert.deepEqual(await at(START), open)
  assert.deepEqual(await at(justBefore(END)), open)
  assert.deepEqual(await at(END), closed)
})

test('lists are sorted and filtered by the current price of one unit', async () => {
  const store = await buildStore()
  const build = (slug: string, given: object) => buildProduct(store, { slug, priceMinor: 1_000n, ...given })
  await build('base', {})
  await build('special', { priceRules: [rule(400n)] })
  await build('sale', { variants: [{ salePriceMinor: 300n }] })
  await build('bulk', { priceRules: [rule(100n, { minQuantity: 2 })], priceMinor: 1_100n })
  await build('own', { variants: [{ priceMinor: 600n }], priceMinor: 2_000n })
  await build('none', { variants: [{ isActive: false, priceMinor: 100n }], priceMinor: 900n })

  assert.deepEqual(await slugs(store, '&sort=price'), ['sale', 'special', 'own', 'none', 'base', 'bulk'])
  assert.deepEqual(await slugs(store, '&sort=-price'), ['bulk', 'base', 'none', 'own', 'special', 'sale'])
  assert.deepEqual(await slugs(store, '&price_min=4&sort=price'), ['special', 'own', 'none', 'base', 'bulk'])
  assert.deepEqual(
    (await request('GET /products?price_max=4&sort=price', { store })).data.map(
      ({ slug }: { slug: string }) => slug,
    ),
    ['sale', 'special'],
  )
})

test('the start and end of a window update the order of lists and the cached responses', async () => {
  const store = await buildStore()
  const [opens, closes] = [new Date('2028-03-01T08:00:00.000Z'), new Date('2028-03-08T08:00:00.000Z')]
  freezeClock(justBefore(opens))
  await buildProduct(store, { slug: 'nine', priceMinor: 900n })
  for (const slug of ['special', 'another'])
    await buildProduct(store, { slug, priceRules: [rule(800n, { startsAt: opens, endsAt: closes })] })
  await drainJobs()
  const line = 'GET /products?sort=price'
  const order = async () => (await request(line, { store })).data.map(({ slug }: { slug: string }) => slug)
  const repriced = async (moment: Date) => {
    freezeClock(new Date(moment.getTime() - MINUTE_MS))
    await runScheduled(enqueuePriceChanges)
    // The jobs of other stores.
    await drainJobs()
    freezeClock(moment)
    return (await drainJobs()).filter(({ queue }) => queue === 'reprice-products').map(({ error }) => error)
  }

  assert.deepEqual(await order(), ['nine', 'special', 'another'])
  assert.deepEqual(await repriced(opens), [null], 'one for all of them')
  assert.deepEqual(await order(), ['special', 'another', 'nine'])
  assert.deepEqual(await repriced(closes), [null], 'one for all of them')
  assert.deepEqual(await order(), ['nine', 'special', 'another'])
  assert.deepEqual(await repriced(new Date(closes.getTime() * 2)), [])
})

const waitingReprices = async () => {
  const sql =
    "select start_after from pgboss.job where name = 'reprice-products' and state = 'created' order by 1"
  return (await superuser.query<{ start_after: Date }>(sql)).rows.map(({ start_after }) => start_after)
}

test('windows at many times leave one job, and each is applied at its time', async () => {
  await discardJobs()
  const store = await buildStore()
  const first = new Date('2029-03-01T08:00:00.000Z')
  const opens = (n: number) => new Date(first.getTime() + n * 1_000)
  freezeClock(new Date(first.getTime() - HOUR_MS))
  for (const n of [0, 3, 1, 4, 2])
    await buildProduct(store, { slug: `opens-${n}`, priceRules: [rule(800n, { startsAt: opens(n) })] })
  const reduced = async () => {
    const { data } = await request('GET /products?price_max=8', { store })
    return data.map(({ slug }: { slug: string }) => slug).toSorted()
  }

  const jobs: number[] = []
  const found: string[][] = []
  for (const n of [0, 1, 2, 3, 4]) {
    jobs.push((await waitingReprices()).length)
    freezeClock(opens(n))
    await drainJobs()
    found.push(await reduced())
  }

  const names = [0, 1, 2, 3, 4].map((n) => `opens-${n}`)
  assert.deepEqual(jobs, [1, 1, 1, 1, 1])
  assert.deepEqual(
    found,
    names.map((_, n) => names.slice(0, n + 1)),
  )
  assert.deepEqual(await waitingReprices(), [])
})

test('a window that opens before the waiting job, or within minutes, gets its own job', async () => {
  await discardJobs()
  const store = await buildStore()
  const start = new Date('2030-03-01T08:00:00.000Z')
  const opens = (ms: number) => new Date(start.getTime() + ms)
  freezeClock(start)
  for (const ms of [HOUR_MS, DAY_MS, MINUTE_MS, 2 * MINUTE_MS])
    await buildProduct(store, { priceRules: [rule(800n, { startsAt: opens(ms) })] })

  assert.deepEqual(await waitingReprices(), [MINUTE_MS, 2 * MINUTE_MS, HOUR_MS].map(opens))
})

test('windows later than in an hour, and those within one second, leave no job each', async () => {
  await discardJobs()
  const store = await buildStore()
  const start = new Date('2031-03-01T08:00:00.000Z')
  freezeClock(start)
  const { token } = await buildStaff(store, { role: 'catalog' })
  const { id } = await buildProduct(store)
  const opensAfter = (ms: number) =>
    request(`PUT /admin/products/${id}/price-rules`, {
      token,
      body: {
        items: [{ kind: 'special', price: 8, starts_at: new Date(start.getTime() + ms).toISOString() }],
      },
    })

  for (const ms of [HOUR_MS + 1, DAY_MS, 400 * DAY_MS]) assert.equal((await opensAfter(ms)).status, 200)
  assert.deepEqual(await waitingReprices(), [])
  for (const ms of [60_001, 60_002, 61_000]) assert.equal((await opensAfter(ms)).status, 200)
  assert.deepEqual(await waitingReprices(), [new Date(start.getTime() + 61_000)])
})

test('a price change that its job missed is applied after the next scheduled run', async () => {
  const store = await buildStore()
  const opens = new Date('2032-03-01T08:00:00.000Z')
  freezeClock(justBefore(opens))
  await buildProduct(store, { slug: 'nine', priceMinor: 900n })
  await buildProduct(store, { slug: 'special', priceRules: [rule(800n, { startsAt: opens })] })
  await discardJobs()
  freezeClock(new Date(opens.getTime() + DAY_MS))

  await runScheduled(enqueuePriceChanges)
  await drainJobs()

  assert.deepEqual(await slugs(store, '&sort=price'), ['special', 'nine'])
})

test('each way to change a price updates the order of lists', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  await buildProduct(store, { slug: 'ten' })
  const { id } = await buildProduct(store, { slug: 'moves', priceMinor: 1_100n })
  const order = () => slugs(store, '&sort=price')

  assert.deepEqual(await order(), ['ten', 'moves'])
  await request(`PATCH /admin/products/${id}`, { token, body: { price: 9 } })
  assert.deepEqual(await order(), ['moves', 'ten'])
  await request(`PATCH /admin/products/${id}`, { token, body: { price: 12 } })
  const items = [{ kind: 'special', price: 8 }]
  await request(`PUT /admin/products/${id}/price-rules`, { token, body: { items } })
  assert.deepEqual(await order(), ['moves', 'ten'])
  await request(`PUT /admin/products/${id}/price-rules`, { token, body: { items: [] } })
  assert.deepEqual(await order(), ['ten', 'moves'])
})

test('a cart line has the price of its quantity, also after a change and at checkout', async () => {
  const { store, shipping } = await buildShop()
  const { variants } = await buildProduct(store, { priceRules: [rule(700n, { minQuantity: 3 })] })
  const body = { variant_id: variants[0]?.id, quantity: 2 }
  const { data } = await request('POST /cart/items', { store, body })
  const cart = data.token
  const change = async (quantity: number) => {
    const line = `PATCH /cart/items/${data.items[0].id}`
    return (await request(line, { store, cart, body: { quantity } })).data.subtotal
  }

  assert.equal(data.subtotal, 20)
  assert.equal(await change(1), 10)
  assert.equal(await change(3), 21)
  assert.equal((await request('GET /cart', { store, cart })).data.items[0].unit_price, 7)
  const placed = await checkOut({ store, shipping }, { cart, body: { payment_method: 'bank_transfer' } })
  const [item] = placed.data.order.items
  assert.deepEqual(
    { status: placed.status, unit_price: item.unit_price, quantity: item.quantity },
    { status: 201, unit_price: 7, quantity: 3 },
  )
})

test('GET /cart?explain=true returns the applied price of each line and why the others do not apply', async () => {
  const store = await buildStore()
  freezeClock(START)
  const { id, variants } = await buildProduct(store, {
    priceRules: [
      rule(800n, { endsAt: END }),
      rule(700n, { startsAt: END }),
      rule(600n, { endsAt: START }),
      rule(750n, { minQuantity: 3 }),
      rule(500n, { minQuantity: 5 }),
    ],
    variants: [{ salePriceMinor: 900n }],
  })
  const plain = await buildProduct(store)
  const body = { variant_id: variants[0]?.id, quantity: 3 }
  const { data } = await request('POST /cart/items', { store, body })
  const cart = data.token
  await request('POST /cart/items', { store, cart, body: { product_id: plain.id, quantity: 1 } })
  const explained = async () => {
    const answer = await request('GET /cart?explain=true', { store, cart })
    return answer.data.items.map(({ explanation }: { explanation: Record<string, unknown>[] }) =>
      explanation.map(({ kind, price, min_quantity, applied, reason }) => ({
        kind,
        price,
        min_quantity,
        applied,
        reason,
      })),
    )
  }

  const base = { kind: 'base', price: 10, min_quantity: 1 }
  assert.deepEqual(await explained(), [
    [
      { ...base, applied: false, reason: 'not_lowest' },
      { kind: 'sale', price: 9, min_quantity: 1, applied: false, reason: 'not_lowest' },
      { kind: 'special', price: 6, min_quantity: 1, applied: false, reason: 'ended' },
      { kind: 'special', price: 7, min_quantity: 1, applied: false, reason: 'not_started' },
      { kind: 'special', price: 8, min_quantity: 1, applied: false, reason: 'not_lowest' },
      { kind: 'quantity', price: 7.5, min_quantity: 3, applied: true, reason: null },
      { kind: 'quantity', price: 5, min_quantity: 5, applied: false, reason: 'too_few' },
    ],
    [{ ...base, applied: true, reason: null }],
  ])
  const { token } = await buildStaff(store, { role: 'catalog' })
  await request(`PATCH /admin/products/${id}`, { token, body: { is_active: false } })
  const [[first]] = await explained()
  assert.deepEqual(first, { ...base, applied: false, reason: 'not_sold' })
  assert.equal('explanation' in (await request('GET /cart', { store, cart })).data.items[0], false)
  assert.deepEqual((await request('GET /cart?explain=true', { store })).data.items, [])
  assert.equal((await request('GET /cart?explain=perhaps', { store })).status, 422)
})

for (const [name, variant, priceRules, expected] of CASES)
  test(`the explanation shows that ${name} applies`, async () => {
    const store = await buildStore()
    const { variants } = await buildProduct(store, { priceRules, variants: [variant] })
    const body = { variant_id: variants[0]?.id, quantity: 10 }
    const { data } = await request('POST /cart/items', { store, body })

    const read = await request('GET /cart?explain=true', { store, cart: data.token })

    const applied = read.data.items[0].explanation.filter((one: { applied: boolean }) => one.applied)
    assert.deepEqual(
      applied.map(({ price }: { price: number }) => price),
      [(expected as { ten: number }).ten],
    )
  })
