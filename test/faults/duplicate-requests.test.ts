import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { startWebProcess } from '#test/support/processes/web-process.ts'

const KEYS = 20
const DUPLICATES = 50

test(`${DUPLICATES} parallel requests with each of ${KEYS} keys to two web processes change the cart once a key`, async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10_000 }] })
  const body = { variant_id: variants[0]?.id, quantity: 1 }
  const cart = (await request('POST /cart/items', { store, body })).data.token
  const urls = [baseUrl, await startWebProcess()]
  const send = (key: string, i: number) =>
    fetch(`${urls[i % urls.length]}/api/v1/cart/items`, {
      method: 'POST',
      headers: {
        'X-Service-Key': store.key,
        'X-Cart-Token': cart,
        'Idempotency-Key': key,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    })

  const statuses = new Set<number>()
  for (let k = 0; k < KEYS; k++) {
    const answers = await Promise.all(Array.from({ length: DUPLICATES }, (_, i) => send(`key-${k}`, i)))
    for (const { status } of answers) statuses.add(status)
  }

  const { data } = await request('GET /cart', { store, cart })
  assert.equal(data.items[0].quantity, 1 + KEYS)
  assert.deepEqual(statuses.difference(new Set([201, 409])), new Set())
})
