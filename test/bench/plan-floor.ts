import assert from 'node:assert/strict'
import { createCampaign } from '#shared/campaigns/create-campaign.ts'
import type { CartHolder } from '#shared/cart/cart.ts'
import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { readCart } from '#shared/cart/read-cart.ts'
import { listProducts } from '#shared/catalog/storefront/list-products.ts'
import { readProduct } from '#shared/catalog/storefront/read-product.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { newId } from '#shared/platform/db/id.ts'
import { pageMeta } from '#shared/platform/db/list-query.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'
import { listApprovedQuestions } from '#shared/questions/list-approved-questions.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'
import type { FloorPlan } from './floor.ts'
import { CONNECTIONS, fromNetwork, type Load } from './measure.ts'
import { type Recorded, recipeOf, record } from './record.ts'

const PAGE_SIZE = 20
const DETAILS = 200
const END = ',"error":null,"error_code":null}'

interface Subject {
  store: Store
  key: string
  products: number
  serviceUrl: string
}

export interface Comparison {
  name: string
  target: string
  floor: Omit<Load, 'url'>
  ours: Omit<Load, 'url'>
  /** The service may answer from its cache. */
  cached: boolean
  expected: number[]
}

/** The comparisons, and the floor's plan: the recorded statements of the service. */
export async function planFloor(subject: Subject) {
  const headers = { 'X-Service-Key': subject.key }
  const get = (path: string, more = {}) =>
    fetch(subject.serviceUrl + path, { headers: { ...headers, ...more } })
  const list = await planList(subject)
  const detail = await planDetail(subject)
  const questions = await planQuestions(subject)
  const { cart, token } = await planCart(subject, get)

  const plan: FloorPlan = {
    databaseUrl: process.env.DATABASE_URL ?? '',
    storeId: subject.store.id,
    reads: { list: list.read, detail: detail.read, questions: questions.read },
    operations: { ...cart, ...(await planVisits(subject)) },
  }
  const etag = (await get(list.paths[0] ?? '')).headers.get('ETag') ?? ''
  const reads = (paths: string[]) => ({ headers, requests: paths.map((path) => ({ path })) })
  const floor = (name: string, count: number) =>
    reads(Array.from({ length: count }, (_, i) => `/${name}/${i}`))
  const [lists, details] = [floor('list', list.paths.length), floor('detail', detail.paths.length)]
  const asked = floor('questions', questions.paths.length)
  const again = '≥ 5 ×, never stale'
  const body = JSON.stringify({ variant_id: subject.store && (await someVariant(subject)), quantity: 1 })
  const add = { path: '/api/v1/cart/items', method: 'POST' as const, body }
  const json = { ...headers, 'Content-Type': 'application/json' }
  const comparisons: Comparison[] = [
    {
      name: 'Product list, first read',
      target: '≥ 0.7 ×',
      floor: lists,
      ours: reads(list.paths),
      cached: false,
      expected: [200],
    },
    {
      name: 'Product detail, first read',
      target: '≥ 0.7 ×',
      floor: details,
      ours: reads(detail.paths),
      cached: false,
      expected: [200],
    },
    {
      name: 'Product questions, first read',
      target: '≥ 0.7 ×',
      floor: asked,
      ours: reads(questions.paths),
      cached: false,
      expected: [200],
    },
    {
      name: 'Product list, read again',
      target: again,
      floor: lists,
      ours: reads(list.paths),
      cached: true,
      expected: [200],
    },
    {
      name: 'Product detail, read again',
      target: again,
      floor: details,
      ours: reads(detail.paths),
      cached: true,
      expected: [200],
    },
    {
      name: 'Product questions, read again',
      target: again,
      floor: asked,
      ours: reads(questions.paths),
      cached: true,
      expected: [200],
    },
    {
      name: 'Product list, unchanged (304)',
      target: again,
      floor: lists,
      ours: { headers: { ...headers, 'If-None-Match': etag }, requests: [{ path: list.paths[0] ?? '' }] },
      cached: true,
      expected: [200, 304],
    },
    {
      name: 'Add to a new cart',
      target: '≥ 0.5 ×',
      floor: { requests: [{ path: '/add', method: 'POST' }] },
      // Each connection is a buyer in a network of their own.
      ours: {
        headers: json,
        requests: Array.from({ length: CONNECTIONS }, (_, i) => ({ ...add, headers: fromNetwork(i) })),
        isSpread: true,
      },
      cached: true,
      expected: [201],
    },
    {
      name: 'Read the cart',
      target: '≥ 0.5 ×',
      floor: { requests: [{ path: '/cart' }] },
      ours: { headers: { ...headers, 'X-Cart-Token': token }, requests: [{ path: '/api/v1/cart' }] },
      cached: true,
      expected: [200],
    },
    ...[CAMPAIGN, 'unknown'].map((code) => ({
      name: `Count a visit from a link, ${code === CAMPAIGN ? 'new visitors' : 'unknown code'}`,
      target: '≥ 2,000/s',
      floor: { requests: [{ path: '/track', method: 'POST' as const }] },
      ours: { headers: json, requests: [visitBy(code)] },
      cached: true,
      expected: [200],
    })),
  ]
  return {
    plan,
    comparisons,
    /** The comparison is fair only when the floor returns the same response as the service. */
    async assertSameBytes(floorUrl: string) {
      for (const [path, floorPath] of [
        [list.paths[1], '/list/1'],
        [detail.paths[1], '/detail/1'],
        [questions.paths[1], '/questions/1'],
      ]) {
        const [ours, floors] = [
          await (await get(path ?? '')).text(),
          await (await fetch(floorUrl + floorPath)).text(),
        ]
        assert.equal(floors, ours)
      }
    },
  }
}

async function readerOf({ store }: Subject): Promise<StorefrontContext> {
  const visit = await findStoreById(store.id)
  const place = store.country === null ? null : { country: store.country }
  return { store, language: 'en', catalogVersion: visit?.catalogVersion ?? '', place }
}

/** The statement that reads the data: neither the one that sets the store nor a count. */
const readOf = (recorded: Recorded[]): { text: string; values: string[] } => {
  const found = recorded.filter(({ text }) => text.includes('json_build_object')).at(-1)
  assert.ok(found?.values)
  return { text: found.text, values: found.values as string[] }
}

async function planList(subject: Subject) {
  const reader = await readerOf(subject)
  const pages = Math.ceil(Math.min(subject.products, 1_000) / PAGE_SIZE)
  const numbers = Array.from({ length: pages }, (_, i) => i + 1)
  const recorded = []
  for (const page of numbers)
    recorded.push(
      readOf(
        await record(() => listProducts(reader, {}, { page, pageSize: PAGE_SIZE, sort: '-created_at' })),
      ),
    )
  return {
    paths: numbers.map((page) => `/api/v1/products?page=${page}`),
    read: {
      text: recorded[0]?.text ?? '',
      values: recorded.map(({ values }) => values),
      before: '{"data":',
      after: numbers.map(
        (page) =>
          `,"meta":${JSON.stringify(pageMeta(subject.products, { page, page_size: PAGE_SIZE }))}${END}`,
      ),
    },
  }
}

async function planDetail(subject: Subject) {
  const reader = await readerOf(subject)
  const slugs = Array.from({ length: Math.min(DETAILS, subject.products) }, (_, i) => `product-${i}`)
  const recorded = []
  for (const slug of slugs) recorded.push(readOf(await record(() => readProduct(reader, slug))))
  return {
    paths: slugs.map((slug) => `/api/v1/products/${slug}`),
    read: {
      text: recorded[0]?.text ?? '',
      values: recorded.map(({ values }) => values),
      before: '{"data":',
      after: slugs.map(() => `,"meta":null${END}`),
    },
  }
}

async function planQuestions({ store, products }: Subject) {
  const slugs = Array.from({ length: Math.min(DETAILS, products) }, (_, i) => `product-${i}`)
  const query = { page: 1, page_size: 10 }
  const [recorded, after]: [ReturnType<typeof readOf>[], string[]] = [[], []]
  for (const slug of slugs)
    recorded.push(
      readOf(
        await record(async () => {
          const { total } = await listApprovedQuestions(store.id, slug, query)
          after.push(`,"meta":${JSON.stringify(pageMeta(total, query))}${END}`)
        }),
      ),
    )
  return {
    paths: slugs.map((slug) => `/api/v1/products/${slug}/questions`),
    read: {
      text: recorded[0]?.text ?? '',
      values: recorded.map(({ values }) => values),
      before: '{"data":',
      after,
    },
  }
}

async function someVariant({ store }: Subject): Promise<string> {
  return inStore(store.id, async (tx) => (await tx.knex('product_variants').first('id')).id)
}

async function planCart(subject: Subject, get: (path: string, headers: object) => Promise<Response>) {
  const variantId = await someVariant(subject)
  const add = () =>
    inStore(subject.store.id, (tx) =>
      addCartItem(tx, { customerId: null, cartToken: null }, { variantId, quantity: 1 }),
    )
  const recipe = recipeOf(await record(add), await record(add))
  const { token = '' } = await add()
  const holder: CartHolder = { customerId: null, cartToken: token }
  const read = () => readCart(subject.store.id, holder)
  const answer = await (await get('/api/v1/cart', { 'X-Cart-Token': token })).text()
  const cart: FloorPlan['operations'] = {
    add: { recipe, status: 201, answer },
    cart: { recipe: recipeOf(await record(read), await record(read)), status: 200, answer },
  }
  return { cart, token }
}

const CAMPAIGN = 'BENCH'

const visitBy = (code: string) => ({
  path: '/api/v1/marketing/track',
  method: 'POST' as const,
  body: () => JSON.stringify({ code, visitor_id: newId() }),
})

const INSERT_VISIT = `
  insert into campaign_visits (store_id, source_id, day, visitor, clicked_at)
  select store_id, id, current_date, decode($2, 'hex'), now() from tracking_codes where store_id = $3 and code_folded = $1
  on conflict do nothing`

/** One insert for each visit, by another visitor each time. */
async function planVisits({ store }: Subject): Promise<FloorPlan['operations']> {
  await inStore(store.id, (tx) => createCampaign(tx, { name: 'Bench', code: CAMPAIGN }))
  const visitor = { fresh: 'hash', number: 0 } as const
  const slots = [{ value: foldCase(CAMPAIGN) }, visitor, { value: store.id }]
  const answer = `{"data":null,"meta":null${END}`
  return { track: { recipe: [{ text: INSERT_VISIT, slots }], status: 200, answer } }
}
