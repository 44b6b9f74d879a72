import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

const KEYS = 3
const DUPLICATES = 10
const MINUTE_MS = 60_000

let store: BuiltStore
let variantId: string

before(async () => {
  store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10_000 }] })
  variantId = variants[0]?.id ?? ''
})

const add = (cart: string | undefined, key?: string, quantity = 1) =>
  request('POST /cart/items', {
    store,
    ...(cart ? { cart } : {}),
    ...(key ? { key } : {}),
    body: { variant_id: variantId, quantity },
  })

const quantityIn = async (cart: string) =>
  (await request('GET /cart', { store, cart })).data.items[0].quantity

test('parallel requests with one key make one change; each returns 201 or 409', async () => {
  const cart = (await add(undefined)).data.token

  const responses = await Promise.all(
    Array.from({ length: KEYS * DUPLICATES }, (_, n) => add(cart, `key-${n % KEYS}`)),
  )

  assert.equal(await quantityIn(cart), 1 + KEYS)
  assert.deepEqual(new Set(responses.map(({ status }) => status)).difference(new Set([201, 409])), new Set())
})

test('control: without a key every request makes its change', async () => {
  const cart = (await add(undefined)).data.token

  await Promise.all(Array.from({ length: DUPLICATES }, () => add(cart)))

  assert.equal(await quantityIn(cart), 1 + DUPLICATES)
})

test('a guest without a cart never gets the cart of another one at the same address with the same key', async () => {
  const guest = await add(undefined, 'of-a-guest')

  const strangers = [await add(undefined, 'of-a-guest'), await add('127.0.0.1', 'of-a-guest')]

  for (const stranger of strangers) {
    assert.equal(stranger.headers.get('Idempotent-Replayed'), null)
    assert.notEqual(stranger.data?.token, guest.data.token)
  }
})

test('a repeated request gets the first response with Idempotent-Replayed', async () => {
  const cart = (await add(undefined)).data.token
  const first = await add(cart, 'first')

  const again = await add(cart, 'first')

  assert.deepEqual(again.data, first.data)
  assert.equal(again.status, first.status)
  assert.equal(first.headers.get('Idempotent-Replayed'), null)
  assert.equal(again.headers.get('Idempotent-Replayed'), 'true')
})

test('a key with another body returns 422 idempotency.key_reused', async () => {
  const cart = (await add(undefined)).data.token
  await add(cart, 'mine')

  const other = await add(cart, 'mine', 2)

  assert.equal(other.error_code, 'idempotency.key_reused')
  assert.equal(other.status, 422)
})

test('the same key of another store is independent', async () => {
  const other = await buildStore()
  const product = await buildProduct(other)
  const cart = (await add(undefined)).data.token
  await add(cart, 'shared')

  const theirs = await request('POST /cart/items', {
    store: other,
    key: 'shared',
    body: { product_id: product.id, quantity: 1 },
  })

  assert.equal(theirs.status, 201)
})

test('a stored 404 is replayed', async () => {
  const unknown = '01890000-0000-7000-8000-000000000000'
  const cart = (await add(undefined)).data.token
  const ask = () =>
    request('POST /cart/items', { store, cart, key: 'gone', body: { variant_id: unknown, quantity: 1 } })
  await ask()

  const again = await ask()

  assert.equal(again.status, 404)
  assert.equal(again.headers.get('Idempotent-Replayed'), 'true')
})

test('the key of a request that died can be claimed again after its lease', async () => {
  const cart = (await add(undefined)).data.token
  await add(cart, 'died')
  // As a process leaves it that dies between the claim and its commit.
  await asIfDied('died')

  const early = await add(cart, 'died')
  moveClock(MINUTE_MS)
  const late = await add(cart, 'died')

  assert.equal(early.error_code, 'idempotency.in_progress')
  assert.equal(late.status, 201)
})

test('a malformed key returns idempotency.key_malformed', async () => {
  for (const key of ['x'.repeat(256), 'two words', 'ümlaut'.normalize('NFD').replace(/[^ -~]/g, '\t')])
    assert.equal((await add(undefined, key)).error_code, 'idempotency.key_malformed', key)
})

async function asIfDied(key: string): Promise<void> {
  await db().transaction(
    async (knex) => {
      await knex('idempotency_keys')
        .where({ store_id: store.id, key })
        .update({ status: null, response: null, outcome: null })
    },
    { storeId: store.id } as never,
  )
}

test('stored responses are encrypted', async () => {
  const { data } = await add(undefined, 'sealed')

  const kept = await db().transaction((knex) => knex('idempotency_keys').where({ key: 'sealed' }), {
    storeId: store.id,
  } as never)

  assert.equal(kept.length, 1)
  assert.ok(!JSON.stringify(kept).includes(data.token))
})
