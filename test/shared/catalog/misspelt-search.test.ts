import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correctedQuerySql, similarWordsSql } from '#shared/catalog/storefront/corrected-query.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { planOf } from '#test/support/measure/plan-of.ts'
import { request } from '#test/support/processes/app.ts'

const ENGLISH = ["'english'::regconfig"]
const COATS = { slug: 'coat', nameI18n: { en: 'Walking jackets' } }
const MUG = { slug: 'mug', nameI18n: { en: 'Enamel mug' } }

async function search(store: { key: string }, q: string): Promise<string[]> {
  const { data } = await request(`GET /products?q=${encodeURIComponent(q)}`, { store })
  return data.map(({ slug }: { slug: string }) => slug)
}

const wordsOf = async ({ id }: { id: string }) => {
  const { rows } = await superuser.query<{ word: string }>(
    'select distinct word from word_trigrams where store_id = $1 order by 1',
    [id],
  )
  return rows.map(({ word }) => word)
}

test('a search corrects several misspelt words, and ignores excluded words and unknown ones', async () => {
  const store = await buildStore()
  await buildProduct(store, COATS)
  await buildProduct(store, MUG)

  assert.deepEqual(await search(store, 'wolking jakets'), ['coat'])
  assert.deepEqual(await search(store, 'jakets -mugg'), ['coat'])
  assert.deepEqual(await search(store, 'enamell zzzzzz'), ['mug'])
  assert.deepEqual(await search(store, 'enamell jakets'), [])
})

test('characters of search syntax in a misspelt word are not an error', async () => {
  const store = await buildStore()
  await buildProduct(store, { slug: 'odd', nameI18n: { en: "O'Brien's café/crème\\brûlée a&b|c:*!" } })

  for (const q of ["O'Briens'", 'cafe/creme\\', 'brulée\\', "'", '\\', 'a&b|c:*!', '/creme\\brulex'])
    assert.ok(Array.isArray(await search(store, q)), q)
})

test('the words of a renamed product are removed, unless another product has them', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const coat = await buildProduct(store, COATS)
  await buildProduct(store, { slug: 'second', nameI18n: { en: 'Rain jackets' } })

  const body = { name_i18n: { en: 'Wool scarf' } }
  const renamed = await request(`PATCH /admin/products/${coat.id}`, { token, body })

  assert.equal(renamed.status, 200, renamed.error ?? '')
  assert.deepEqual(await wordsOf(store), ['jackets', 'rain', 'scarf', 'wool'])
  assert.deepEqual(await search(store, 'wolking'), [])
  assert.deepEqual(await search(store, 'jakets'), ['second'])
  assert.deepEqual(await search(store, 'scarff'), ['coat'])
})

test('a search compares at most three words, the longest', async () => {
  const store = await buildStore()
  await buildProduct(store, { nameI18n: { en: 'Aluminium breadboards chandelier dish' } })
  const asked = 'aluminum breadbords chandeleer dist'

  const rows = await inStore(store.id, async ({ knex }) => {
    const text = `with recursive ${similarWordsSql('?', ENGLISH)} select distinct asked from similar_words order by 1`
    return (await knex.raw<{ rows: { asked: string }[] }>(text.replaceAll('\\?', '?'), [asked])).rows
  })

  assert.deepEqual(
    rows.map((row) => row.asked),
    ['aluminum', 'breadbords', 'chandeleer'],
  )
})

test('similar words are found by an index, below row-level security', async () => {
  const store = await buildStore()
  await buildProduct(store, COATS)

  const plan = await inStore(store.id, ({ knex }) => {
    const similar = similarWordsSql("'jakets'", ENGLISH).replaceAll('?', '\\?')
    return planOf(knex, `with ${similar} select ${correctedQuerySql(ENGLISH)}`)
  })

  assert.match(
    plan,
    /Index Only Scan using word_trigrams_pkey.*\n.*Index Cond: .*trigram = asked_trigram\.trigram/,
  )
})
