import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { catalogOf, csv, importCsv, readJob, uploadCsv } from '#test/support/import.ts'
import { importProducts } from '#workers/catalog/import-products.ts'

const HEADER =
  'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,"Is featured?","Short description",Description,"Date sale price starts","Date sale price ends","In stock?",Stock,"Backorders allowed?","Weight (kg)","Sale price","Regular price",Categories,Tags,Images,Parent,"Attribute 1 name","Attribute 1 value(s)","Attribute 2 name","Attribute 2 value(s)"'

// The variations are not beside their products: WooCommerce sorts by id.
const FILE = csv(
  HEADER,
  '10,variable,HOODIE,,Hoodie,1,0,Warm,"A hoodie.\\nVery warm.",,,1,,0,,,,"Clothing > Hoodies, Clothing","warm, big\\, soft","https://img.example/a.jpg, https://img.example/b.jpg",,Color,"Blue, Red",Logo,"Yes, No"',
  '11,simple,ALBUM,4006381333931,Album,1,0,,,2026-12-01,2026-12-24,1,5,notify,0.25,9.50,15,Music,,,,Label,Sub Pop,,',
  '12,"simple, virtual",,,Voucher,-1,0,,,,,1,,0,,,20,Music,,,,,,,',
  '13,grouped,SET,,Set,1,0,,,,,1,,0,,,,,,,,,,,',
  '20,variation,H-BLUE,,"Hoodie - Blue, Yes",1,0,,,,,1,3,0,1.5,,45,,,https://img.example/b.jpg,id:10,Color,Blue,Logo,Yes',
  '21,variation,H-RED,,"Hoodie - Red, No",0,0,,,,,1,0,0,1.5,40,45,,,,HOODIE,Color,Red,Logo,No',
  '22,variation,LOST,,Lost,1,0,,,,,1,3,0,,,45,,,,id:99,Color,Blue,Logo,Yes',
)

async function openStore() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, token }
}

test("WooCommerce's export is imported: variations with their product, attributes as options, categories below others", async () => {
  const { store, token } = await openStore()

  const report = await importCsv(store, token, FILE)

  assert.partialDeepStrictEqual(report, {
    format: 'woocommerce',
    status: 'succeeded',
    progress: 1,
    products_created: 3,
    variants_created: 4,
    error_count: 2,
    warning_count: 1,
    ignored_columns: ['Is featured?'],
  })
  const catalog = await catalogOf(store)
  const { product, variants } = catalog.get('hoodie') ?? assert.fail('no hoodie')
  assert.partialDeepStrictEqual(product, {
    nameI18n: { en: 'Hoodie' },
    descriptionI18n: { en: 'A hoodie.\nVery warm.' },
    tags: ['warm', 'big, soft'],
    priceMinor: 4_500n,
    options: [
      { name: 'Color', values: ['Blue', 'Red'] },
      { name: 'Logo', values: ['Yes', 'No'] },
    ],
    images: [
      { url: 'https://img.example/a.jpg', variant_ids: [] },
      { url: 'https://img.example/b.jpg', variant_ids: [variants[0]?.id] },
    ],
  })
  assert.partialDeepStrictEqual(variants, [
    { sku: 'H-BLUE', weightGrams: 1_500, stockOnHand: 3, isActive: true, optionValues: { Color: 'Blue' } },
    { sku: 'H-RED', salePriceMinor: 4_000n, isActive: false, backorder: false },
  ])
  const categories = await inStore(store.id, (tx) =>
    tx.knex('categories').select('slug', 'parent_id').orderBy('slug'),
  )
  assert.deepEqual(
    categories.map(({ slug, parent_id }) => ({ slug, isTop: parent_id === null })),
    [
      { slug: 'clothing', isTop: true },
      { slug: 'hoodies', isTop: false },
      { slug: 'music', isTop: true },
    ],
  )
})

test('a simple product has its sale with its days, and one whose stock is not counted can always be sold', async () => {
  const { store, token } = await openStore()

  await importCsv(store, token, FILE)

  const catalog = await catalogOf(store)
  assert.partialDeepStrictEqual(catalog.get('album')?.variants[0], {
    sku: 'ALBUM',
    barcode: '4006381333931',
    salePriceMinor: 950n,
    saleStartsAt: new Date('2026-12-01T00:00:00Z'),
    stockOnHand: 5,
    backorder: true,
    weightGrams: 250,
  })
  assert.equal(catalog.get('voucher')?.product.isActive, false)
  assert.equal(catalog.get('voucher')?.variants[0]?.backorder, true)
})

test('what is not imported is reported with its line and what to do', async () => {
  const { store, token } = await openStore()

  const { errors } = await importCsv(store, token, FILE)

  assert.deepEqual(
    errors.map(({ severity, line }: { severity: string; line: number }) => ({ severity, line })),
    [
      { severity: 'warning', line: 3 },
      { severity: 'error', line: 5 },
      { severity: 'error', line: 8 },
    ],
  )
  assert.match(errors[0].message, /not imported: Label\. Enter them as attributes of the product/)
  assert.match(errors[1].message, /type "grouped" has no price and stock of its own/)
  assert.match(errors[2].message, /no product "id:99".* Export the products together with their variations/)
})

test('a repeated import of the file changes nothing', async () => {
  const { store, token } = await openStore()
  await importCsv(store, token, FILE)
  const before = await catalogOf(store)

  const report = await importCsv(store, token, FILE)

  assert.partialDeepStrictEqual(report, { products_created: 0, products_changed: 0, variants_changed: 0 })
  assert.deepEqual(await catalogOf(store), before)
})

test('products with one name are different products', async () => {
  const { store, token } = await openStore()
  const row = (id: number) => `${id},simple,S-${id},,Cup,1,0,,,,,1,1,0,,,9,,,,,,,,`

  await importCsv(store, token, csv(HEADER, row(1), row(2)))

  assert.deepEqual([...(await catalogOf(store)).keys()], ['cup', 'cup-2'])
})

test('a fault names the column of the file', async () => {
  const { store, token } = await openStore()

  const { errors } = await importCsv(
    store,
    token,
    csv(HEADER, '1,simple,S,,Cup,1,0,,,,,1,1,0,,,cheap,,,,,,,,'),
  )

  assert.partialDeepStrictEqual(errors, [{ line: 2, field: 'Regular price', value: 'cheap' }])
})

test('a worker that stops between two batches continues behind the rows that are imported', async () => {
  const { store, token } = await openStore()
  const products = Array.from(
    { length: 300 },
    (_, i) => `${i + 1},variable,P${i},,Cup ${i},1,0,,,,,1,,0,,,,,,,,Size,"S, L",,`,
  )
  const variations = products.flatMap((_, i) =>
    ['S', 'L'].map((size) => `,variation,P${i}-${size},,,1,0,,,,,1,1,0,,,9,,,,P${i},Size,${size},,`),
  )
  const { data } = await uploadCsv(token, csv(HEADER, ...products, ...variations))
  let batches = 0
  const dying = Object.assign(new AbortController().signal, {
    throwIfAborted() {
      if (batches++ === 1) throw new Error('the worker stops')
    },
  })

  await assert.rejects(
    importProducts.run({ storeId: store.id, jobId: data.id }, { jobId: 'a', retry: 0, signal: dying }),
  )
  const { progress } = await readJob(token, data.id)
  await importProducts.run(
    { storeId: store.id, jobId: data.id },
    { jobId: 'b', retry: 0, signal: new AbortController().signal },
  )

  assert.ok(progress > 0.3 && progress < 0.9, String(progress))
  assert.partialDeepStrictEqual(await readJob(token, data.id), {
    status: 'succeeded',
    error_count: 0,
    products_created: 300,
    variants_created: 600,
  })
})
