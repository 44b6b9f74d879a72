import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_CANDIDATES } from '#shared/catalog/search/product-lexemes.ts'
import { indexWords } from '#shared/catalog/search/product-words.ts'
import { searchNameSql, searchSql } from '#shared/catalog/search/search-text.ts'
import { filterSql } from '#shared/catalog/storefront/filter-sql.ts'
import { FIND_SEARCH, type Search } from '#shared/catalog/storefront/search.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

const PRODUCTS = 3_000

/** Products named by their number; each hundredth has a rare word, all have a common one. */
async function fillStore(products = PRODUCTS): Promise<{ id: string; key: string }> {
  const store = await buildStore()
  const search = searchSql({ nameI18n: 'names', tags: "array['café']", descriptionI18n: 'texts' })
  const { rows } = await superuser.query<{ id: string }>(
    `insert into products (store_id, id, slug, name_i18n, price_minor, current_price_minor, search, search_name, created_at, updated_at)
     select $1, gen_random_uuid(), 'p' || n, names, 100, 100, ${search}, ${searchNameSql('names')}, now(), now()
     from generate_series(1, ${products}) n
     cross join lateral (
       select jsonb_build_object('en', 'Enamel mug ' || n || case when n % 100 = 0 then ' walking jacket' else '' end) as names,
         jsonb_build_object('en', 'Sewn by hand') as texts) as given
     returning id`,
    [store.id],
  )
  await inStore(store.id, async (tx) =>
    indexWords(
      tx,
      rows.map(({ id }) => id),
    ),
  )
  await superuser.query('vacuum analyze products, product_lexemes, product_words, word_trigrams')
  return store
}

const CONTEXT = { store: { defaultLanguage: 'de' }, language: 'en' } as StorefrontContext

/** The ids that a search finds, as a product list finds them. */
async function search(tx: StoreTx, q: string): Promise<string[]> {
  const [found] = await tx.prepared<Search>(FIND_SEARCH, [q, 'english', 'german'])
  const { shape, withs, condition, values } = filterSql(CONTEXT, { q, search: found as Search }, 1)
  const text = `${withs} select p.id from products p where ${condition} order by p.id`
  return (await tx.prepared<{ id: string }>({ name: `search ${shape}`, text }, values)).map(({ id }) => id)
}

/** The ids that the operator of text search finds, without an index. */
async function scan(tx: StoreTx, q: string): Promise<string[]> {
  const text = `
    select id from products where store_id = ${CURRENT_STORE} and is_active and deleted_at is null
      and search @@ (websearch_to_tsquery('english', unaccent($1)) || websearch_to_tsquery('german', unaccent($1)))
    order by id`
  return (await tx.prepared<{ id: string }>({ name: 'scan', text }, [q])).map(({ id }) => id)
}

/** How many rows of products a search reads, and how many it finds. */
const measure = (store: { id: string }, find: typeof search, q: string) =>
  inStore(store.id, async (tx) => {
    const before = await countRead(tx)
    const found = (await find(tx, q)).length
    return { found, read: (await countRead(tx)) - before }
  })

async function countRead({ knex }: StoreTx): Promise<number> {
  const { rows } = await knex.raw(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read from pg_stat_xact_user_tables where relname = 'products'`,
  )
  return rows[0].read
}

test('a search reads the products that have its rarest word, once to compare and once to list them', async () => {
  const store = await fillStore()
  const searches: Record<string, number> = {
    walking: PRODUCTS / 100,
    'enamel mug sewn by hand walking': PRODUCTS / 100,
    '"walking jacket" enamel -red': PRODUCTS / 100,
    'enamel mug 77': 1,
    wolking: PRODUCTS / 100,
    'zzzzzz -enamel': 0,
  }

  for (const [q, expected] of Object.entries(searches)) {
    const { found, read } = await measure(store, search, q)

    assert.equal(found, expected, q)
    assert.ok(read <= 2 * expected, `${q} reads ${read}`)
  }
})

test('control: under row-level security the text search operator reads every product, even with an index', async () => {
  const store = await fillStore()
  await superuser.query('create index on products using gin (search)')

  const { found, read } = await measure(store, scan, 'walking')

  assert.deepEqual({ found, read }, { found: PRODUCTS / 100, read: PRODUCTS })
})

test('a search for words that very many products have gives no list of ids', async () => {
  const store = await fillStore(MAX_CANDIDATES + 1)

  const found = await inStore(store.id, (tx) =>
    tx.prepared<Search>(FIND_SEARCH, ['enamel', 'english', 'german']),
  )

  assert.deepEqual(found, [{ query: "'enamel' | 'enamel'", ids: null }])
  const { meta } = await request('GET /products?q=enamel&page_size=1', { store })
  assert.equal(meta.total, MAX_CANDIDATES + 1)
})

test('a phrase that no product has is looked up without reading a product if its words are very common', async () => {
  const store = await fillStore(MAX_CANDIDATES + 1)
  const lookUp: typeof search = async (tx, q) => {
    await tx.prepared(FIND_SEARCH, [q, 'english', 'german'])
    return []
  }

  const { read } = await measure(store, lookUp, '"mug enamel" -red')

  assert.equal(read, 0)
  const { data } = await request(`GET /products?q=${encodeURIComponent('"mug enamel" -red')}`, { store })
  assert.deepEqual(data, [])
})

const WORDS = [
  'red',
  'coat',
  'walking',
  'jackets',
  'café',
  'Füße',
  'the',
  'und',
  'a/b',
  "o'neil",
  'x-y',
  '7.5',
]

test('a search finds what its text search matches, whatever its syntax', async () => {
  const store = await buildStore()
  const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '))
  for (const [en, de, description] of fc.sample(fc.tuple(text, text, text), { numRuns: 40, seed: 7 }))
    await buildProduct(store, {
      nameI18n: { en: en || 'none', de: de || 'none' },
      descriptionI18n: { en: description },
    })
  const word = fc.constantFrom(...WORDS, 'or', '-', '"', 'zzz')
  const query = fc
    .array(fc.tuple(fc.constantFrom('', '', '', '-', '"'), word, fc.constantFrom('', '', '"')), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.map((part) => part.join('')).join(' '))

  for (const q of fc.sample(query, { numRuns: 200, seed: 7 })) {
    const { expected, found } = await inStore(store.id, async (tx) => ({
      expected: await scan(tx, q),
      found: await search(tx, q),
    }))
    // A search without a match is corrected.
    if (expected.length) assert.deepEqual(found, expected, q)
  }
})

test('a product is found by its changed description and tags, and no longer by the former ones', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  const { id } = await buildProduct(store, {
    slug: 'coat',
    descriptionI18n: { en: 'Sewn of linen' },
    tags: ['summer'],
  })
  const found = async (q: string) => (await request(`GET /products?q=${q}`, { store })).data.length
  const before = { linen: await found('linen'), summer: await found('summer') }

  const body = { description_i18n: { en: 'Sewn of wool' }, tags: ['winter'] }
  await request(`PATCH /admin/products/${id}`, { token, body })

  const after = {
    linen: await found('linen'),
    summer: await found('summer'),
    wool: await found('wool'),
    winter: await found('winter'),
  }
  assert.deepEqual(
    { before, after },
    { before: { linen: 1, summer: 1 }, after: { linen: 0, summer: 0, wool: 1, winter: 1 } },
  )
})
