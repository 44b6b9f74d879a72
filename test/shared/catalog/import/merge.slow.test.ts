import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { catalogOf, countRows, csv, importCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'

async function openStore() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, load: (text: string) => importCsv(store, token, text) }
}

const HEADER = 'Handle,Title,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty'

test('a blank cell keeps the existing value', async () => {
  const { store, load } = await openStore()
  await load(csv(HEADER, 'cup,Cup,"blue, round",,,CUP,9.50,7'))

  await load(csv(HEADER, 'cup,,,,,CUP,10.50,'))

  const cup = (await catalogOf(store)).get('cup')
  assert.deepEqual(cup?.product.nameI18n, { en: 'Cup' })
  assert.deepEqual(cup?.product.tags, ['blue', 'round'])
  assert.equal(cup?.product.priceMinor, 1_050n)
  assert.equal(cup?.variants[0]?.stockOnHand, 7)
})

test('variants outside the file keep their price and position', async () => {
  const { store, load } = await openStore()
  await load(csv(HEADER, 'cup,Cup,,Size,S,CUP-S,9,1', 'cup,,,,M,CUP-M,9,2', 'cup,,,,L,CUP-L,12,3'))

  await load(csv(HEADER, 'cup,Cup,,Size,S,CUP-S,10,1', 'cup,,,,XL,CUP-XL,15,4'))

  const cup = (await catalogOf(store)).get('cup')
  assert.deepEqual(
    cup?.variants.map(({ sku, priceMinor }) => ({ sku, priceMinor: priceMinor ?? cup.product.priceMinor })),
    [
      { sku: 'CUP-S', priceMinor: 1_000n },
      { sku: 'CUP-M', priceMinor: 900n },
      { sku: 'CUP-L', priceMinor: 1_200n },
      { sku: 'CUP-XL', priceMinor: 1_500n },
    ],
  )
  assert.deepEqual(cup?.product.options, [{ name: 'Size', values: ['S', 'M', 'L', 'XL'] }])
})

test('separated rows of one handle are one product', async () => {
  const { store, load } = await openStore()

  const report = await load(
    csv(HEADER, 'cup,Cup,,Size,S,CUP-S,9,1', 'pan,Pan,,,,PAN,30,1', 'cup,,,,L,CUP-L,12,3'),
  )

  assert.partialDeepStrictEqual(report, { products_created: 2, variants_created: 3, error_count: 0 })
  assert.equal((await catalogOf(store)).get('cup')?.variants.length, 2)
})

test('a product with a changed slug is matched by its SKUs and title', async () => {
  const { store, load } = await openStore()
  await load(csv(HEADER, 'cup,Cup,,,,CUP,9,1'))
  await inStore(store.id, (tx) => tx.knex('products').update({ slug: 'blue-cup' }))

  const report = await load(csv(HEADER, 'cup,Cup,,,,CUP,10,1'))

  const catalog = await catalogOf(store)
  assert.deepEqual([...catalog.keys()], ['blue-cup'])
  assert.equal(catalog.get('blue-cup')?.product.priceMinor, 1_000n)
  assert.equal(report.products_updated, 1)
})

test('a new product with the SKU of another one does not overwrite it', async () => {
  const { store, load } = await openStore()
  await load(csv(HEADER, 'cup,Cup,,,,CUP,9,1'))

  const report = await load(csv(HEADER, 'mug,Mug,,,,CUP,10,1'))

  assert.match(report.errors[0].message, /The product "cup" has this SKU/)
  const catalog = await catalogOf(store)
  assert.deepEqual([...catalog.keys()], ['cup'])
  assert.deepEqual(catalog.get('cup')?.product.nameI18n, { en: 'Cup' })
})

test('a variant without a SKU in the file keeps its existing SKU', async () => {
  const { store, load } = await openStore()
  await load(csv(HEADER, 'cup,Cup,,Size,S,,9,1'))
  await inStore(store.id, (tx) => tx.knex('product_variants').update({ sku: 'OUR-OWN' }))

  await load(csv(HEADER, 'cup,Cup,,Size,S,,8,1'))

  const variants = (await catalogOf(store)).get('cup')?.variants
  assert.deepEqual(
    variants?.map(({ sku }) => sku),
    ['OUR-OWN'],
  )
})

test('images are sorted by position, existing ones are kept, and a variant is shown by the image of its row', async () => {
  const { store, load } = await openStore()
  const header = 'Handle,Title,Variant Price,Image Src,Image Position,Image Alt Text,Variant Image'
  const url = (name: string) => `https://img.example/${name}.jpg`
  await load(csv(header, `cup,Cup,9,${url('back')},2,Back,${url('front')}`, `cup,,,${url('front')},1,Front,`))

  await load(csv(header, `cup,Cup,9,${url('side')},,Side,`))

  const { product, variants } = (await catalogOf(store)).get('cup') ?? {}
  assert.deepEqual(
    product?.images.map(({ alt, position, variant_ids }) => ({ alt, position, variant_ids })),
    [
      { alt: 'Front', position: 0, variant_ids: [variants?.[0]?.id] },
      { alt: 'Back', position: 1, variant_ids: [] },
      { alt: 'Side', position: 2, variant_ids: [] },
    ],
  )
})

test('a compare-at price above the price starts a sale; a blank one ends it', async () => {
  const { store, load } = await openStore()
  const header = 'Handle,Title,Variant Price,Variant Compare At Price'

  await load(csv(header, 'cup,Cup,8,10', 'pan,Pan,30,30', 'pot,Pot,30,20'))
  const onSale = await catalogOf(store)
  await load(csv(header, 'cup,Cup,10,'))
  const after = await catalogOf(store)

  const prices = (catalog: typeof after, slug: string) => {
    const found = catalog.get(slug)
    const [variant] = found?.variants ?? []
    return { product: found?.product.priceMinor, variant: variant?.priceMinor, sale: variant?.salePriceMinor }
  }
  assert.deepEqual(prices(onSale, 'cup'), { product: 1_000n, variant: null, sale: 800n })
  assert.deepEqual(prices(onSale, 'pan'), { product: 3_000n, variant: null, sale: null })
  assert.deepEqual(prices(onSale, 'pot'), { product: 3_000n, variant: null, sale: null })
  assert.deepEqual(prices(after, 'cup'), { product: 1_000n, variant: null, sale: null })
})

test('untracked stock, or the inventory policy `continue`, allows backorder', async () => {
  const { store, load } = await openStore()

  await load(
    csv(
      'Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Policy',
      'tracked,A,1,shopify,deny',
      'untracked,B,1,,deny',
      'oversold,C,1,shopify,continue',
    ),
  )

  const catalog = await catalogOf(store)
  const backorder = (slug: string) => catalog.get(slug)?.variants[0]?.backorder
  assert.equal(backorder('tracked'), false)
  assert.equal(backorder('untracked'), true)
  assert.equal(backorder('oversold'), true)
})

test('an import that empties or refills the stock of a variant emits the stock events', async () => {
  const { store, load } = await openStore()
  const file = (cup: number, pan: number) =>
    csv(HEADER, `cup,Cup,,,,CUP,9,${cup}`, `pan,Pan,,,,PAN,30,${pan}`)
  await load(file(3, 0))

  await load(file(0, 5))

  assert.equal(await countRows(store, 'events', { type: 'product.out_of_stock' }), 1)
  assert.equal(await countRows(store, 'events', { type: 'product.back_in_stock' }), 1)
})

test('drafts and unpublished products are imported unpublished', async () => {
  const { store, load } = await openStore()

  await load(
    csv(
      'Handle,Title,Variant Price,Published,Status',
      'a,A,1,true,active',
      'b,B,1,FALSE,active',
      'c,C,1,true,draft',
    ),
  )

  const catalog = await catalogOf(store)
  assert.deepEqual(
    ['a', 'b', 'c'].map((slug) => catalog.get(slug)?.product.isActive),
    [true, false, false],
  )
})

test("HTML is saved unchanged, and the ' before a formula is removed", async () => {
  const { store, load } = await openStore()
  const html = '<p onclick="buy()">Hello</p><script>welcome()</script>'

  await load(csv('Handle,Title,Variant Price,Body (HTML)', `cup,'=Cup,1,"${html.replaceAll('"', '""')}"`))

  const cup = (await catalogOf(store)).get('cup')?.product
  assert.deepEqual(cup?.descriptionI18n, { en: html })
  assert.deepEqual(cup?.nameI18n, { en: '=Cup' })
})

test('handles and types in other scripts get a slug of their own', async () => {
  const { store, load } = await openStore()

  const report = await load(
    csv('Handle,Title,Type,Variant Price', '茶-100g,茶,台所,1', '米-100g,米,台所,1', 'コップ,コップ,食器,1'),
  )

  assert.partialDeepStrictEqual(report, { products_created: 3, error_count: 0 })
  assert.equal((await catalogOf(store)).size, 3)
  assert.equal(await countRows(store, 'categories'), 2)
})

test('texts and prices are read in the default language and currency of the store', async () => {
  const store = await buildStore({ currency: 'JPY', languages: ['ja', 'en'] })
  const { token } = await buildStaff(store, { role: 'catalog' })

  const report = await importCsv(
    store,
    token,
    csv('Handle,Title,Variant Price', 'cup,カップ,1200', 'pan,鍋,12.50'),
  )

  assert.deepEqual((await catalogOf(store)).get('cup')?.product.nameI18n, { ja: 'カップ' })
  assert.equal((await catalogOf(store)).get('cup')?.product.priceMinor, 1_200n)
  assert.equal(report.errors[0].line, 3)
})
