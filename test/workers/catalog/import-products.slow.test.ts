import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { divideBySize } from '#shared/catalog/import/plan/divide-by-size.ts'
import { loadKnownCatalog } from '#shared/catalog/import/plan/load-known-catalog.ts'
import type { ImportRow } from '#shared/catalog/import/rows/read-product-row.ts'
import { Product } from '#shared/catalog/product.ts'
import { ProductVariant } from '#shared/catalog/variant.ts'
import { ImportJob } from '#shared/imports/import-job.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import {
  catalogOf,
  countRows,
  csv,
  importCsv,
  nextSlice,
  readJob,
  uploadCsv,
} from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildAttribute } from '#test/support/builders/taxonomy.ts'
import { superuser } from '#test/support/database.ts'
import { recordStatements } from '#test/support/measure/record-statements.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { pending } from '#test/support/races/overlap.ts'
import { importProducts } from '#workers/catalog/import-products.ts'

async function storeWithStaff() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, token }
}

const harbor = await readFile('test/sandbox/harbor.csv', 'utf8')
const atelier = await readFile('test/sandbox/atelier.csv', 'utf8')

/** A plain file of `count` products with one variant each. */
const manyProducts = (count: number) =>
  csv(
    'Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty',
    ...Array.from({ length: count }, (_, i) => `product-${i},Product ${i},SKU-${i},10,5`),
  )

const outcome = ({
  status,
  products_created,
  products_updated,
  variants_created,
  variants_updated,
  error_count,
}: Record<string, unknown>) => ({
  status,
  products: [products_created, products_updated],
  variants: [variants_created, variants_updated],
  errors: error_count,
})

test('a whole catalog is imported', async () => {
  const { store, token } = await storeWithStaff()

  const report = await importCsv(store, token, harbor)

  assert.deepEqual(outcome(report), {
    status: 'succeeded',
    products: [60, 0],
    variants: [213, 0],
    errors: 0,
  })
  assert.equal(report.progress, 1)
  assert.equal(report.lines_done, 261)
  const catalog = await catalogOf(store)
  const images = [...catalog.values()].flatMap(({ product }) => product.images)
  assert.deepEqual(
    { catalogCount: catalog.size, imagesCount: images.length },
    { catalogCount: 60, imagesCount: 128 },
  )
  assert.equal(await countRows(store, 'manufacturers'), 8)
  assert.equal(await countRows(store, 'categories'), 10)
  assert.equal(await countRows(store, 'import_chunks'), 0)
  assert.equal(await countRows(store, 'import_keys'), 0)
})

test('a product is imported with its options, images, stock, prices and texts', async () => {
  const { store, token } = await storeWithStaff()

  await importCsv(store, token, harbor)

  const jacket = (await catalogOf(store)).get('keel-rain-jacket')
  assert.ok(jacket)
  const { product, variants } = jacket
  assert.deepEqual(product.nameI18n, { en: 'Keel Rain Jacket' })
  assert.match(product.descriptionI18n.en ?? '', /^<p>A three-layer shell[\s\S]*<\/ul>$/)
  assert.equal(product.seo.title_i18n?.en, 'Keel Rain Jacket | Waterproof three-layer shell')
  assert.deepEqual(product.tags, ['rain', 'waterproof', 'bestseller', 'unisex'])
  assert.deepEqual(
    product.options.map(({ name }) => name),
    ['Size', 'Colour'],
  )
  const [first] = variants
  assert.ok(first)
  assert.equal(first.sku, 'HG-KEEL-XS-SIYE')
  assert.deepEqual(first.optionValues, { Size: 'XS', Colour: 'Signal Yellow' })
  assert.partialDeepStrictEqual(first, { stockOnHand: 6, weightGrams: 520, backorder: false })
  assert.equal(first.barcode, '2104000100017')
  assert.equal(first.priceMinor ?? product.priceMinor, 18_900n)
  const [picture] = product.images
  assert.equal(picture?.alt, 'Yellow rain jacket hanging on a peg by a boathouse door')
  assert.ok(picture?.variant_ids.includes(first.id))
})

test('an import of a store under purge adds no products', async () => {
  const { store, token } = await storeWithStaff()
  await uploadCsv(token, manyProducts(3))
  await superuser.query('update stores set purge_started_at = now() where id = $1', [store.id])

  const drained = await drainJobs([importProducts])

  assert.deepEqual(
    drained.map(({ error }) => error),
    [null],
  )
  assert.equal((await catalogOf(store)).size, 0)
})

test('the small demo catalog is imported', async () => {
  const { store, token } = await storeWithStaff()

  const report = await importCsv(store, token, atelier)

  assert.deepEqual(outcome(report), { status: 'succeeded', products: [8, 0], variants: [11, 0], errors: 0 })
})

test('a repeated import changes nothing and emits no event', async () => {
  const { store, token } = await storeWithStaff()
  await importCsv(store, token, harbor)
  const before = await catalogOf(store)
  const events = await countRows(store, 'events')
  const movements = await countRows(store, 'stock_movements')

  const report = await importCsv(store, token, harbor)

  assert.deepEqual(outcome(report), {
    status: 'succeeded',
    products: [0, 60],
    variants: [0, 213],
    errors: 0,
  })
  assert.deepEqual(await catalogOf(store), before)
  assert.equal(await countRows(store, 'events'), events)
  assert.equal(await countRows(store, 'stock_movements'), movements)
})

test('each new and each changed product emits one event', async () => {
  const { store, token } = await storeWithStaff()
  await importCsv(store, token, harbor)

  await importCsv(store, token, harbor.replaceAll('Keel Rain Jacket', 'Keel Storm Jacket'))

  assert.equal(await countRows(store, 'events', { type: 'product.created' }), 60)
  assert.equal(await countRows(store, 'events', { type: 'product.updated' }), 1)
})

test('stock is set to the number of the file, and the difference is recorded as a movement', async () => {
  const { store, token } = await storeWithStaff()
  const file = (stock: number) =>
    csv('Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty', `cup,Cup,CUP,9.50,${stock}`)
  await importCsv(store, token, file(12))

  await importCsv(store, token, file(5))

  const cup = (await catalogOf(store)).get('cup')?.variants[0]
  assert.equal(cup?.stockOnHand, 5)
  assert.equal(await countRows(store, 'stock_movements', { variant_id: cup?.id, delta: 12 }), 1)
  assert.equal(await countRows(store, 'stock_movements', { variant_id: cup?.id, delta: -7 }), 1)
})

test('a dry run reports the same counts and errors as an import and saves nothing', async () => {
  const { store, token } = await storeWithStaff()
  const file = harbor.replace('HG-KEEL-XS-SIYE,520', 'HG-KEEL-XS-SIYE,heavy')

  const report = await importCsv(store, token, file, { dryRun: true })

  assert.equal(report.dry_run, true)
  assert.deepEqual(outcome(report), {
    status: 'succeeded',
    products: [60, 0],
    variants: [212, 0],
    errors: 1,
  })
  assert.equal(report.errors[0].field, 'Variant Grams')
  for (const table of [
    'products',
    'product_variants',
    'manufacturers',
    'categories',
    'events',
    'stock_movements',
  ])
    assert.equal(await countRows(store, table), 0, table)
})

test('a dry run finds duplicates in different batches', async () => {
  const { store, token } = await storeWithStaff()
  const file = `${manyProducts(450)}other,Other,SKU-3,10,1\nproduct-5,,SKU-5B,10,1\n`

  const dry = await importCsv(store, token, file, { dryRun: true })
  const real = await importCsv(store, token, file)

  const [taken] = dry.errors
  assert.partialDeepStrictEqual(taken, { line: 452, field: 'Variant SKU' })
  assert.match(taken.message, /Line 5 gives this SKU to the product "product-3"/)
  assert.deepEqual(dry.errors, real.errors)
  assert.deepEqual(outcome(dry), outcome(real))
})

test('the job shows its progress while it runs', async () => {
  const { token, store } = await storeWithStaff()
  const { data } = await uploadCsv(token, manyProducts(500))

  await assert.rejects(runAborting(store.id, data.id, { afterBatches: 1 }))

  const midway = await readJob(token, data.id)
  assert.equal(midway.status, 'running')
  assert.ok(midway.progress > 0.3 && midway.progress < 0.5, String(midway.progress))
  assert.equal(midway.products_created, 200)
})

test('a worker that stops between two batches loses and repeats nothing', async () => {
  const { store, token } = await storeWithStaff()
  const file = `${manyProducts(500)}bad,Bad,,none,1\n`.replace(
    'product-250,Product 250,SKU-250,10',
    'product-250,Product 250,SKU-250,x',
  )
  const { data } = await uploadCsv(token, file)

  for (const afterBatches of [1, 0, 1]) await assert.rejects(runAborting(store.id, data.id, { afterBatches }))
  await run(store.id, data.id)
  await run(store.id, data.id)

  const report = await readJob(token, data.id)
  assert.deepEqual(outcome(report), {
    status: 'succeeded',
    products: [499, 0],
    variants: [499, 0],
    errors: 2,
  })
  assert.equal(await countRows(store, 'products'), 499)
  assert.equal(await countRows(store, 'stock_movements'), 499)
  assert.equal(await countRows(store, 'events', { type: 'product.created' }), 499)
})

/** A text of that length of different words. */
const longText = (seed: string, length: number) =>
  Array.from({ length: length / 10 }, (_, i) => `${seed}${i}`.padEnd(9, 'x')).join(' ')

/** The lexemes that each transaction wrote. */
async function lexemesByTransaction({ id }: { id: string }): Promise<number[]> {
  const { rows } = await superuser.query(
    'select count(*)::int as count from product_lexemes where store_id = $1 group by xmin::text order by 1',
    [id],
  )
  return rows.map(({ count }) => count)
}

test('long descriptions are indexed in short transactions, once each, also if workers stop', async () => {
  const { store, token } = await storeWithStaff()
  const rows = Array.from(
    { length: 40 },
    (_, i) => `cup-${i},Cup ${i},${longText(String.fromCharCode(97 + (i % 26)), 10_000)},SKU-${i},10,5`,
  )
  const file = csv('Handle,Title,Body (HTML),Variant SKU,Variant Price,Variant Inventory Qty', ...rows)
  const { data } = await uploadCsv(token, file)

  for (const afterBatches of [1, 0, 2]) await assert.rejects(runAborting(store.id, data.id, { afterBatches }))
  await run(store.id, data.id)

  assert.deepEqual(outcome(await readJob(token, data.id)), {
    status: 'succeeded',
    products: [40, 0],
    variants: [40, 0],
    errors: 0,
  })
  assert.equal(await countRows(store, 'events', { type: 'product.created' }), 40)
  const written = await lexemesByTransaction(store)
  assert.equal(written.length, 5)
  assert.ok(Math.max(...written) < 11_000, `${written}`)
})

test('a product whose texts exceed a batch is imported', async () => {
  const { store, token } = await storeWithStaff()
  const languages = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'da', 'sv', 'fi', 'pl', 'cs', 'hu']
  const header = languages.map((language) => `description:${language}`).join(',')
  const texts = languages.map((language) => longText(language, 20_000)).join(',')
  const file = csv(`slug,name,price,${header}`, `cup,Cup,10,${texts}`, 'mug,Mug,10')

  const report = await importCsv(store, token, file)

  assert.partialDeepStrictEqual(outcome(report), { status: 'succeeded', products: [2, 0], errors: 0 })
  const [short = 0, long = 0] = await lexemesByTransaction(store)
  assert.ok(short < 5 && long > 9_000, `${short} and ${long} lexemes`)
})

test('products whose texts stay are not indexed again', async (t) => {
  const { store, token } = await storeWithStaff()
  const file = (title: string, price: number) =>
    csv('Handle,Title,Body (HTML),Variant SKU,Variant Price', `cup,${title},Porcelain,CUP,${price}`)
  await importCsv(store, token, file('Cup', 10))
  const isIndexing = (text: string) => /to_tsvector|product_lexemes|product_words/.test(text)
  const indexing = async (text: string) => {
    const statements = await recordStatements(t, () => importCsv(store, token, text))
    return statements.filter(isIndexing).length
  }
  const find = async (word: string) => (await request(`GET /products?q=${word}`, { store })).data.length

  assert.equal(await indexing(file('Cup', 11)), 0)
  assert.deepEqual({ cup: await find('cup'), porcelain: await find('porcelain') }, { cup: 1, porcelain: 1 })
  assert.ok((await indexing(file('Mug', 11))) > 0)
  assert.deepEqual(
    { cup: await find('cup'), mug: await find('mug'), porcelain: await find('porcelain') },
    { cup: 0, mug: 1, porcelain: 1 },
  )
})

test('two workers with one job import the file once', async () => {
  const { store, token } = await storeWithStaff()
  const { data } = await uploadCsv(token, manyProducts(600))

  await Promise.all([run(store.id, data.id), run(store.id, data.id)])
  await run(store.id, data.id)

  assert.deepEqual(outcome(await readJob(token, data.id)), {
    status: 'succeeded',
    products: [600, 0],
    variants: [600, 0],
    errors: 0,
  })
  assert.equal(await countRows(store, 'stock_movements'), 600)
})

test('a job without retries left fails with a message that says what to do', async () => {
  const { store, token } = await storeWithStaff()
  const { data } = await uploadCsv(token, manyProducts(3))

  await assert.rejects(
    runAborting(store.id, data.id, { afterBatches: 0, retry: importProducts.job.rules.retries }),
  )

  const report = await readJob(token, data.id)
  assert.equal(report.status, 'failed')
  assert.match(report.failure, /internal error.* Upload the file again/)
  assert.equal(await countRows(store, 'import_chunks'), 0)
})

test('a file that ended two workers without progress is not tried again', async () => {
  const { store, token } = await storeWithStaff()
  const { data } = await uploadCsv(token, manyProducts(500))
  const abort = (afterBatches: number) => assert.rejects(runAborting(store.id, data.id, { afterBatches }))

  await abort(0)
  await abort(1)
  await abort(0)
  await abort(0)
  assert.equal((await readJob(token, data.id)).status, 'running', 'the second batch was tried twice')
  await run(store.id, data.id)

  const report = await readJob(token, data.id)
  assert.equal(report.status, 'failed')
  assert.match(report.failure, /^The import stopped twice without progress after line 201\./)
  assert.equal(await countRows(store, 'products'), 200)
  assert.equal(await countRows(store, 'import_chunks'), 0)
})

test('an unclosed quote fails the job with its line; the rows before it are imported', async () => {
  const { store, token } = await storeWithStaff()

  const report = await importCsv(
    store,
    token,
    csv('Handle,Title,Variant Price', 'a,A,1', 'b,B,2', 'c,"C,3', 'd,D,4'),
  )

  assert.equal(report.status, 'failed')
  assert.match(report.failure, /^The row on line 4 starts a quoted text that does not end/)
  assert.deepEqual([...(await catalogOf(store)).keys()], ['a', 'b'])
})

test('concurrent imports of two stores do not affect each other', async () => {
  const one = await storeWithStaff()
  const other = await storeWithStaff()

  await uploadCsv(one.token, atelier)
  await uploadCsv(other.token, atelier)
  await drainJobs()

  assert.equal((await catalogOf(one.store)).size, 8)
  assert.equal((await catalogOf(other.store)).size, 8)
})

const run = async (storeId: string, jobId: string) =>
  importProducts.run(await nextSlice(storeId, jobId), {
    jobId: 'test',
    retry: 0,
    signal: new AbortController().signal,
  })

/** Runs the job until its signal aborts after `afterBatches` batches: what a worker's end leaves behind. */
async function runAborting(storeId: string, jobId: string, { afterBatches = 0, retry = 0 }) {
  let seen = 0
  const signal = Object.assign(new AbortController().signal, {
    throwIfAborted() {
      if (seen++ === afterBatches) throw new Error('the worker dies')
    },
  })
  return importProducts.run(await nextSlice(storeId, jobId), { jobId: 'test', retry, signal })
}

test('lists are sorted and filtered by imported prices', async () => {
  const { store, token } = await storeWithStaff()
  const file = (price: number) =>
    csv('Handle,Title,Variant SKU,Variant Price', `mug,Mug,MUG,${price}`, 'cup,Cup,CUP,10')
  const order = async (query: string) => {
    const { data } = await request(`GET /products?sort=price${query}`, { store })
    return data.map(({ slug }: { slug: string }) => slug)
  }

  await importCsv(store, token, file(12))
  assert.deepEqual(await order(''), ['cup', 'mug'])
  await importCsv(store, token, file(8))
  assert.deepEqual(await order(''), ['mug', 'cup'])
  assert.deepEqual(await order('&price_max=9'), ['mug'])
})

test('an import keeps attributes and price rules, and its event contains them', async () => {
  const { store, token } = await storeWithStaff()
  const attribute = await buildAttribute(store)
  const built = await buildProduct(store, {
    slug: 'mug',
    attributes: [{ attributeId: attribute.id, value: 'Clay' }],
    priceRules: [{ minQuantity: 1, priceMinor: 700n, startsAt: null, endsAt: null }],
    variants: [{ sku: 'MUG' }],
  })

  await importCsv(store, token, csv('Handle,Title,Variant SKU,Variant Price', 'mug,Mug,MUG,12'))

  const { data } = await request(`GET /admin/products/${built.id}`, { token })
  assert.deepEqual(
    { value: data.attributes[0].value, price: data.price_rules[0].price, dataPrice: data.price },
    { value: 'Clay', price: 7, dataPrice: 12 },
  )
  const event = await inStore(store.id, (tx) =>
    tx.knex('events').where('type', 'product.updated').first('data'),
  )
  assert.deepEqual(event?.data, data)
})

test('products that an import has locked can be added to carts', async () => {
  const store = await buildStore()
  const within = <T>(work: (tx: StoreTx) => PromiseLike<T>) => inStore(store.id, work)
  const { id, slug } = await buildProduct(store)
  const job = Object.assign(new ImportJob(), { id: newId(), dryRun: false })
  const { done, commit } = await pending(within, (tx) => loadKnownCatalog(tx, job, new Map([[slug, []]])))

  // As the foreign key of a line does.
  const referred = await within((tx) =>
    ProductVariant.in(tx).where('product_id', id).forKeyShare().skipLocked(),
  )

  commit()
  await done
  assert.equal(referred.length, 1)
})

test('a file that names large products is imported in parts of 1 MiB, by their handles or by their SKUs', async () => {
  const { store, token } = await storeWithStaff()
  const count = 12
  await importCsv(store, token, manyProducts(count))
  const setDescription = (text: string) =>
    inStore(store.id, (tx) => Product.in(tx).patch({ descriptionI18n: { en: text } }))
  const groups = (slug: string, sku: string) =>
    new Map(
      Array.from({ length: count }, (_, i) => {
        const product = { categories: [] }
        const row = { slug: `${slug}-${i}`, product, variant: { sku: `${sku}-${i}` } } as unknown as ImportRow
        return [row.slug, [row]]
      }),
    )
  const [byHandle, bySku] = [groups('product', 'NEW'), groups('renamed', 'SKU')]
  const divide = (rows: Map<string, ImportRow[]>) =>
    inStore(store.id, async (tx) => (await divideBySize(tx, rows)).map(({ size }) => size))

  await setDescription('')
  const ofSmall = [await divide(byHandle), await divide(bySku)]
  await setDescription('d'.repeat(225_000))
  const ofLarge = [await divide(byHandle), await divide(bySku)]
  const report = await importCsv(store, token, manyProducts(count).replaceAll(',10,5', ',11,5'))

  assert.deepEqual(ofSmall, [[12], [12]])
  assert.deepEqual(ofLarge, [
    [4, 4, 4],
    [4, 4, 4],
  ])
  assert.deepEqual(outcome(report), {
    status: 'succeeded',
    products: [0, count],
    variants: [0, count],
    errors: 0,
  })
})

test('a short file that names 400,000 categories is divided by the levels of their paths', async () => {
  const { store } = await storeWithStaff()
  const deepPath = Array.from({ length: 20 }, (_, level) => `Level ${level}`)
  const rowsOf = (paths: number) =>
    new Map(
      Array.from({ length: 200 }, (_, i) => {
        const product = { categories: Array.from({ length: paths }, () => deepPath) }
        return [`cup-${i}`, [{ product, variant: null } as unknown as ImportRow]]
      }),
    )
  const divide = (rows: Map<string, ImportRow[]>) =>
    inStore(store.id, async (tx) => (await divideBySize(tx, rows)).map(({ size }) => size))

  assert.deepEqual(await divide(rowsOf(100)), Array(200).fill(1))
  assert.deepEqual(await divide(rowsOf(10)), Array(20).fill(10))
})

test('200 products with 50 new categories each are imported', async () => {
  const { store, token } = await storeWithStaff()
  const categoriesOf = (product: number) => Array.from({ length: 50 }, (_, i) => `Shelf ${product}-${i}`)
  const rows = Array.from({ length: 200 }, (_, i) => `cup-${i},Cup,10,"${categoriesOf(i).join(',')}"`)

  const report = await importCsv(store, token, csv('slug,name,price,categories', ...rows))

  assert.partialDeepStrictEqual(report, { status: 'succeeded', products_created: 200, error_count: 0 })
  assert.equal(await countRows(store, 'categories'), 10_000)
})

test('all faults of a product with 5,000 rows are reported', async () => {
  const { store, token } = await storeWithStaff()
  const rows = Array.from({ length: 5_000 }, (_, i) => `cup,Cup,S${i},x,y`)

  const report = await importCsv(store, token, csv('slug,name,sku,price,weight_grams', ...rows))

  assert.partialDeepStrictEqual(report, { status: 'succeeded', products_created: 0, error_count: 10_000 })
  assert.equal(await countRows(store, 'import_notes'), 10_000)
})

test('a product whose rows take 12 MB is imported in two batches', async () => {
  const { store, token } = await storeWithStaff()
  const description = 'x'.repeat(99_000)
  const rows = Array.from({ length: 120 }, (_, i) => `cup,Cup,${description},10,Size,${i},Home > Cups`)
  const columns = 'slug,name,description,price,option1_name,option1_value,categories'

  const report = await importCsv(store, token, csv(columns, ...rows))

  assert.deepEqual(outcome(report), {
    status: 'succeeded',
    products: [1, 1],
    variants: [120, 0],
    errors: 0,
  })
  const { product, variants } = (await catalogOf(store)).get('cup') ?? {}
  assert.equal(product?.options[0]?.values.length, 120)
  assert.equal(variants?.length, 120)
})

test('rows that give the SKUs of many products to one load none of them', async () => {
  const { store, token } = await storeWithStaff()
  await importCsv(store, token, manyProducts(3))
  const job = Object.assign(new ImportJob(), { id: newId(), dryRun: false })
  const rows = [0, 1, 2].map((i) => ({ slug: 'other', variant: { sku: `SKU-${i}` } }) as unknown as ImportRow)

  const known = await inStore(store.id, (tx) => loadKnownCatalog(tx, job, new Map([['other', rows]])))
  const report = await importCsv(
    store,
    token,
    csv('Handle,Title,Variant SKU,Variant Price', 'other,Other,SKU-0,1', 'other,,SKU-1,1'),
  )

  const sizes = { byId: known.byId.size, bySku: known.bySku.size, slugs: known.slugs.size }
  assert.deepEqual(sizes, { byId: 0, bySku: 3, slugs: 3 })
  assert.match(report.errors[0].message, /The product "product-0" has this SKU/)
})
