import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { ORDER_WORDS } from '#shared/orders/order-words.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { request } from '#test/support/app.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer, buildStaff } from '#test/support/build-accounts.ts'
import { buildOrder } from '#test/support/build-orders.ts'

const LISTS = ['customers', 'orders', 'questions', 'returns', 'subscriptions', 'vouchers']

// Each stands for four words.
const MANY_WORDS = 'ﷺ'.repeat(100) + 'abcdefghijklmnopqrstuvwxyz'.split('').join(' ')

test('of many words, the ten longest are searched, each once', async () => {
  const store = await buildStore()
  const words = Array.from({ length: 100 }, (_, n) => 'w'.repeat(n + 1))

  const { sql, bindings } = await inStore(store.id, async (tx) =>
    ORDER_WORDS.idsWithWords(tx, [...words, ...words]).toSQL(),
  )

  assert.equal(sql.split('"word" >=').length - 1, 10)
  const searched = bindings.filter((value) => /^w+$/.test(String(value)))
  assert.deepEqual(searched, words.slice(-10).reverse())
})

/** How many words each statement compares that `work` sends. */
async function countWords(t: TestContext, work: () => Promise<unknown>): Promise<number[]> {
  const parse = t.mock.method(pg.Connection.prototype as unknown as Wire, 'parse')
  await work()
  const texts = parse.mock.calls.map(({ arguments: [statement] }) => statement.text)
  return texts.map((text) => text.split('"word" >=').length - 1)
}

interface Wire {
  parse(statement: { text: string }): void
}

for (const list of LISTS)
  test(`a search of ${list} with hundreds of words compares ten`, async (t) => {
    const store = await buildStore()
    const owner = await buildStaff(store, { role: 'administrator' })
    const search = async () => {
      const { status, data } = await request(`GET /admin/${list}?q=${encodeURIComponent(MANY_WORDS)}`, owner)
      assert.deepEqual({ status, data }, { status: 200, data: [] })
    }

    assert.equal(Math.max(...(await countWords(t, search))), 10)
  })

test('a repeated word is one word', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'administrator' })
  const { email } = await buildCustomer(store)
  const { id } = await buildOrder(store, { email })

  const { data } = await request(
    `GET /admin/orders?q=${encodeURIComponent(`${email} `.repeat(8).slice(0, 200))}`,
    owner,
  )

  assert.deepEqual(
    data.map((order: { id: string }) => order.id),
    [id],
  )
})
