import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORDER_WORDS } from '#shared/orders/order-words.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { WordIndex } from '#shared/platform/db/word-index.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildQuestions } from '#test/support/builders/question-scene.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { recordStatements } from '#test/support/measure/record-statements.ts'
import { request } from '#test/support/processes/app.ts'

const LISTS = ['customers', 'orders', 'questions', 'returns', 'subscriptions', 'vouchers']

// Each stands for four words.
const MANY_WORDS = 'ﷺ'.repeat(100) + 'abcdefghijklmnopqrstuvwxyz'.split('').join(' ')

test('the ten longest of many words are searched, each once', async () => {
  const store = await buildStore()
  const words = Array.from({ length: 100 }, (_, n) => 'w'.repeat(n + 1))

  const { sql, bindings } = await inStore(store.id, async (tx) =>
    ORDER_WORDS.idsWithWords(tx, [...words, ...words]).toSQL(),
  )

  assert.equal(sql.split('"word" >=').length - 1, 10)
  const searched = bindings.filter((value) => /^w+$/.test(String(value)))
  assert.deepEqual(searched, words.slice(-10).reverse())
})

for (const list of LISTS)
  test(`a search of ${list} with hundreds of words compares ten`, async (t) => {
    const store = await buildStore()
    const owner = await buildStaff(store, { role: 'administrator' })
    const search = async () => {
      const { status, data } = await request(`GET /admin/${list}?q=${encodeURIComponent(MANY_WORDS)}`, owner)
      assert.deepEqual({ status, data }, { status: 200, data: [] })
    }

    const compared = (await recordStatements(t, search)).map((text) => text.split('"word" >=').length - 1)

    assert.equal(Math.max(...compared), 10)
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

test('replaced words that stay are not written again', async () => {
  const store = await buildStore()
  const index = new WordIndex('question_words', 'question_id')
  const { data } = await (await buildQuestions(store)).ask()
  const replace = (words: string[], isAddress: boolean) =>
    inStore(store.id, async (tx) => {
      await index.replace(tx, [{ id: data.id, words, columns: { is_address: isAddress } }])
      return tx
        .knex('question_words')
        .where({ question_id: data.id })
        .orderBy('word')
        .select('word', 'is_address', tx.knex.raw('xmin::text as written'))
    })

  const before = await replace(['new', 'old'], false)
  const after = await replace(['newer', 'old'], false)
  const moved = await replace(['newer', 'old'], true)

  assert.deepEqual(
    after.map(({ word }) => word),
    ['newer', 'old'],
  )
  assert.equal(after[1].written, before[1].written)
  assert.deepEqual(
    moved.map(({ is_address }) => is_address),
    [true, true],
  )
})
