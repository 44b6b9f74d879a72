import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { inMs } from '#shared/platform/time/clock.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildAttribute } from '#test/support/builders/taxonomy.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

type Store = Awaited<ReturnType<typeof buildStore>>

async function slugs(store: Store, query = ''): Promise<string[]> {
  const { status, data } = await request(`GET /products${query}`, { store })
  assert.equal(status, 200)
  return data.map(({ slug }: { slug: string }) => slug)
}

test('GET /products lists products with variants, prices and stock, the newest first', async () => {
  const store = await buildStore()
  await buildProduct(store, { slug: 'older' })
  await buildProduct(store, {
    slug: 'jacket',
    nameI18n: { en: 'Jacket' },
    priceMinor: 18_999n,
    options: [{ name: 'Size', values: ['S', 'M'] }],
    tags: ['rain'],
    images: [{ url: 'https://images.test/1.jpg', alt: '', variantSkus: [] }],
    variants: [
      { sku: 'J-S', optionValues: { Size: 'S' }, salePriceMinor: 15_950n },
      { sku: 'J-M', optionValues: { Size: 'M' }, priceMinor: 19_999n, stockOnHand: 0 },
    ],
  })

  const { data, meta } = await request('GET /products', { store })

  const [jacket, older] = data
  const { id: _, created_at: __, variants, ...card } = jacket
  assert.equal(older.slug, 'older')
  assert.deepEqual(meta, { page: 1, page_size: 20, total: 2, total_pages: 1 })
  assert.deepEqual(card, {
    slug: 'jacket',
    sku: '',
    name: 'Jacket',
    price: 189.99,
    special_price: 159.5,
    current_price: 159.5,
    current_price_net: 159.5,
    price_net: 189.99,
    tax_rate: 0,
    in_stock: true,
    stock_status_name: 'In stock',
    image_url: 'https://images.test/1.jpg',
    tags: ['rain'],
  })
  assert.deepEqual(
    variants.map(({ id: _, ...variant }: { id: string }) => variant),
    [
      {
        sku: 'J-S',
        option_values: { Size: 'S' },
        price: 189.99,
        sale_price: 159.5,
        current_price: 159.5,
        current_price_net: 159.5,
        price_net: 189.99,
        in_stock: true,
      },
      {
        sku: 'J-M',
        option_values: { Size: 'M' },
        price: 199.99,
        sale_price: null,
        current_price: 199.99,
        current_price_net: 199.99,
        price_net: 199.99,
        in_stock: false,
      },
    ],
  )
})

test('a price has the number of digits of its currency', async () => {
  const [yen, dinar] = [await buildStore({ currency: 'JPY' }), await buildStore({ currency: 'KWD' })]
  await buildProduct(yen, { priceMinor: 1_500n })
  await buildProduct(dinar, { priceMinor: 1_255n })

  const prices = await Promise.all([yen, dinar].map((store) => request('GET /products', { store })))

  assert.deepEqual(
    prices.map(({ data }) => data[0].price),
    [1500, 1.255],
  )
})

test("unpublished, deleted and other stores' products are not listed", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  await buildProduct(store, { isActive: false })
  await buildProduct(other)

  const { data, meta } = await request('GET /products', { store })

  assert.deepEqual(data, [])
  assert.deepEqual(meta, { page: 1, page_size: 20, total: 0, total_pages: 0 })
})

test('a page has the requested size, and meta the total', async () => {
  const store = await buildStore()
  for (const slug of ['a', 'b', 'c', 'd', 'e']) await buildProduct(store, { slug })

  assert.deepEqual(await slugs(store, '?page_size=2&page=2'), ['c', 'b'])
  assert.deepEqual(await slugs(store, '?page_size=2&page=9'), [])
  const { meta } = await request('GET /products?page_size=2&page=2', { store })
  assert.deepEqual(meta, { page: 2, page_size: 2, total: 5, total_pages: 3 })
})

test('products are sorted by age, name in the language of the request, and price', async () => {
  const store = await buildStore()
  await buildProduct(store, { slug: 'one', nameI18n: { en: 'Zebra', de: 'Ähre' }, priceMinor: 200n })
  await buildProduct(store, { slug: 'two', nameI18n: { en: 'apple', de: 'Zange' }, priceMinor: 300n })
  await buildProduct(store, { slug: 'three', nameI18n: { en: 'Mango', de: 'Birne' }, priceMinor: 100n })

  assert.deepEqual(await slugs(store, '?sort=created_at'), ['one', 'two', 'three'])
  assert.deepEqual(await slugs(store, '?sort=-created_at'), ['three', 'two', 'one'])
  assert.deepEqual(await slugs(store, '?sort=name'), ['two', 'three', 'one'])
  assert.deepEqual(await slugs(store, '?sort=-name'), ['one', 'three', 'two'])
  assert.deepEqual(await slugs(store, '?sort=price'), ['three', 'one', 'two'])
  assert.deepEqual(await slugs(store, '?sort=-price'), ['two', 'one', 'three'])
  assert.deepEqual(await slugs(store, '?sort=relevance'), ['three', 'two', 'one'])
  const german = await request('GET /products?sort=name', { store, headers: { 'Accept-Language': 'de' } })
  assert.deepEqual(
    german.data.map(({ name }: { name: string }) => name),
    ['Ähre', 'Birne', 'Zange'],
  )
})

test('each filter and their combination narrow the list', async () => {
  const store = await buildStore()
  const maker = await buildManufacturer(store)
  const clothes = await buildCategory(store, { slug: 'clothes' })
  const coats = await buildCategory(store, { slug: 'coats', parentId: clothes.id })
  await buildProduct(store, {
    slug: 'coat',
    categoryIds: [coats.id],
    manufacturerId: maker.id,
    priceMinor: 9_999n,
  })
  await buildProduct(store, {
    slug: 'shirt',
    categoryIds: [clothes.id],
    tags: ['new', 'cotton'],
    priceMinor: 2_500n,
  })
  await buildProduct(store, { slug: 'mug', variants: [{ stockOnHand: 0 }], priceMinor: 500n })
  await buildProduct(store, {
    slug: 'book',
    variants: [{ stockOnHand: 0, backorder: true }],
    priceMinor: 1_500n,
  })

  assert.deepEqual(await slugs(store, '?category=clothes'), ['shirt', 'coat'])
  assert.deepEqual(await slugs(store, '?category=coats'), ['coat'])
  assert.deepEqual(await slugs(store, '?category=none'), [])
  assert.deepEqual(await slugs(store, `?manufacturer=${maker.id}`), ['coat'])
  assert.deepEqual(await slugs(store, '?tag=new'), ['shirt'])
  assert.deepEqual(await slugs(store, '?price_min=5&price_max=25'), ['book', 'mug', 'shirt'])
  assert.deepEqual(await slugs(store, '?in_stock=true'), ['book', 'shirt', 'coat'])
  assert.deepEqual(await slugs(store, '?in_stock=false'), ['mug'])
  assert.deepEqual(await slugs(store, '?category=clothes&price_min=50&in_stock=true&q=product'), ['coat'])
})

test('GET /products filters by attribute values', async () => {
  const store = await buildStore()
  const [material, colour] = [await buildAttribute(store), await buildAttribute(store)]
  const build = (slug: string, said: [string, string][]) =>
    buildProduct(store, { slug, attributes: said.map(([attributeId, value]) => ({ attributeId, value })) })
  await build('oak-red', [
    [material.id, 'Oak, "solid"'],
    [colour.id, 'Red'],
  ])
  await build('oak', [[material.id, 'Oak, "solid"']])
  await build('ash-red', [
    [material.id, 'Ash'],
    [colour.id, 'Red'],
  ])
  const by = (...choices: [string, string][]) =>
    slugs(
      store,
      `?${choices.map(([id, value]) => `attribute=${encodeURIComponent(`${id}:${value}`)}`).join('&')}`,
    )

  const oak: [string, string] = [material.id, 'Oak, "solid"']
  assert.deepEqual(await by(oak), ['oak', 'oak-red'])
  assert.deepEqual(await by(oak, [material.id.toUpperCase(), 'Ash']), ['ash-red', 'oak', 'oak-red'])
  assert.deepEqual(await by(oak, [colour.id, 'Red']), ['oak-red'])
  assert.deepEqual(await by([colour.id, 'Oak, "solid"']), [])
  assert.deepEqual(await by([material.id, 'ash']), [])
})

test('GET /products?facets=true returns the facets with counts', async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const maker = await buildManufacturer(store, 'Fen')
  const above = await buildCategory(store, { slug: 'seats', name: 'Seats' })
  const stools = await buildCategory(store, { slug: 'stools', name: 'Stools', parentId: above.id })
  const hidden = await buildCategory(store, { isActive: false })
  const material = await buildAttribute(store, { nameI18n: { en: 'Material', de: 'Werkstoff' } })
  const said = (value: string) => [{ attributeId: material.id, value }]
  await buildProduct(store, {
    attributes: said('Oak'),
    categoryIds: [stools.id, above.id],
    priceMinor: 4_000n,
  })
  await buildProduct(store, {
    attributes: said('Ash'),
    categoryIds: [stools.id, hidden.id],
    priceMinor: 2_500n,
  })
  await buildProduct(store, {
    attributes: said('Oak'),
    manufacturerId: maker.id,
    variants: [{ salePriceMinor: 700n }],
  })
  await buildProduct(store, { attributes: said('Elm'), isActive: false })
  await buildProduct(other)
  const facets = async (query = '') => {
    const headers = { 'Accept-Language': 'de' }
    const { meta } = await request(`GET /products?facets=true${query}`, { store, headers })
    assert.equal(meta.page, 1)
    return meta.facets
  }

  const all = await facets()
  assert.deepEqual(all, {
    categories: [
      { id: above.id, slug: 'seats', name: 'Seats', count: 2 },
      { id: stools.id, slug: 'stools', name: 'Stools', count: 2 },
    ],
    manufacturers: [{ id: maker.id, name: 'Fen', count: 1 }],
    attributes: [
      {
        attribute_id: material.id,
        attribute_name: 'Werkstoff',
        group_name: all.attributes[0].group_name,
        values: [
          { value: 'Oak', count: 2 },
          { value: 'Ash', count: 1 },
        ],
      },
    ],
    price: { min: 7, max: 40 },
  })
  const narrowed = await facets('&category=stools&price_max=30&page_size=1')
  assert.deepEqual(narrowed.attributes[0].values, [{ value: 'Ash', count: 1 }])
  assert.deepEqual(narrowed.price, { min: 25, max: 25 })
  assert.deepEqual(await facets('&q=nothing'), {
    categories: [],
    manufacturers: [],
    attributes: [],
    price: { min: null, max: null },
  })
  assert.equal('facets' in (await request('GET /products', { store })).meta, false)
})

test('an unpublished category and its descendants list nothing', async () => {
  const store = await buildStore()
  const hidden = await buildCategory(store, { slug: 'hidden', isActive: false })
  const below = await buildCategory(store, { slug: 'below', parentId: hidden.id })
  await buildProduct(store, { categoryIds: [below.id, hidden.id] })

  assert.deepEqual(await slugs(store, '?category=hidden'), [])
  assert.deepEqual(await slugs(store, '?category=below'), [])
})

test('facets name no category below an unpublished one', async () => {
  const store = await buildStore()
  const hidden = await buildCategory(store, { isActive: false })
  const below = await buildCategory(store, { parentId: hidden.id })
  const deepest = await buildCategory(store, { parentId: below.id })
  const seats = await buildCategory(store, { slug: 'seats' })
  await buildProduct(store, { categoryIds: [deepest.id, seats.id] })

  const { meta } = await request('GET /products?facets=true', { store })

  assert.deepEqual(
    meta.facets.categories.map(({ slug }: { slug: string }) => slug),
    ['seats'],
  )
})

test('a search stems words by language and tolerates accents and misspelt names', async () => {
  const store = await buildStore()
  await buildProduct(store, {
    slug: 'coat',
    nameI18n: { en: 'Walking jackets', de: 'Wanderjäckchen' },
    descriptionI18n: { en: 'Sewn by hand', de: 'Für kühle Abende genäht' },
    tags: ['café'],
    variants: [{ sku: 'HG-77' }],
  })
  await buildProduct(store, { slug: 'mug', nameI18n: { en: 'Enamel mug', de: 'Emaillebecher' } })
  const found = async (q: string, language = 'en') => {
    const line = `GET /products?q=${encodeURIComponent(q)}`
    const { data } = await request(line, { store, headers: { 'Accept-Language': language } })
    return data.map(({ slug }: { slug: string }) => slug)
  }

  assert.deepEqual(await found('jacket walk'), ['coat'], 'other forms of the words')
  assert.deepEqual(await found('hands'), ['coat'], 'words of the description')
  assert.deepEqual(await found('wanderjackchen', 'de'), ['coat'], 'without umlauts')
  assert.deepEqual(await found('kühler Abend', 'de'), ['coat'], 'German forms')
  assert.deepEqual(await found('cafe'), ['coat'], 'a tag, without its accent')
  assert.deepEqual(await found('jakets'), ['coat'], 'misspelt')
  assert.deepEqual(await found('HG-77'), ['coat'], 'a SKU')
  assert.deepEqual(await found('"walking jackets" -mug'), ['coat'], 'a phrase and an exclusion')
  assert.deepEqual((await found('enamel or jacket')).sort(), ['coat', 'mug'])
  assert.deepEqual(await found('the'), [], 'nothing but stop words')
  assert.deepEqual(await found("'); drop table products; -- % _ \\ & | ! ( :*"), [])
})

test('a search without a sort is sorted by relevance, which ranks names above descriptions', async () => {
  const store = await buildStore()
  await buildProduct(store, { slug: 'lamp', nameI18n: { en: 'Lamp' } })
  await buildProduct(store, {
    slug: 'shade',
    nameI18n: { en: 'Shade' },
    descriptionI18n: { en: 'For a lamp' },
  })

  assert.deepEqual(await slugs(store, '?q=lamp'), ['lamp', 'shade'])
  assert.deepEqual(await slugs(store, '?q=lamp&sort=relevance'), ['lamp', 'shade'])
  assert.deepEqual(await slugs(store, '?q=lamp&sort=-created_at'), ['shade', 'lamp'])
})

test('the product of the searched SKU comes before those that have it in their texts', async () => {
  const store = await buildStore()
  await buildProduct(store, { slug: 'bulb', nameI18n: { en: 'Bulb for LUX7' } })
  await buildProduct(store, { slug: 'lamp', nameI18n: { en: 'Lamp' }, variants: [{ sku: 'LUX7' }] })

  assert.deepEqual(await slugs(store, '?q=LUX7'), ['lamp', 'bulb'])
})

test('the SKU of an unpublished variant finds no product', async () => {
  const store = await buildStore()
  const variants = [
    { sku: 'QX9S', optionValues: { Size: 'S' } },
    { sku: 'QX9L', optionValues: { Size: 'XL' }, isActive: false },
  ]
  const options = [{ name: 'Size', values: ['S', 'XL'] }]
  await buildProduct(store, { slug: 'lamp', nameI18n: { en: 'Lamp' }, options, variants })

  assert.deepEqual(await slugs(store, '?sku=QX9L'), [])
  assert.deepEqual(await slugs(store, '?q=QX9L'), [])
  assert.deepEqual(await slugs(store, '?sku=QX9S'), ['lamp'])
})

test('names are in the language of the request, else of the store, else in any', async () => {
  const store = await buildStore()
  await buildProduct(store, { nameI18n: { fr: 'Tasse' } })
  await buildProduct(store, { nameI18n: { en: 'Cup' } })
  await buildProduct(store, { nameI18n: { en: 'Cup', de: 'Becher' } })

  const { data } = await request('GET /products', { store, headers: { 'Accept-Language': 'de' } })

  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ['Becher', 'Cup', 'Tasse'],
  )
  assert.equal(data[0].stock_status_name, 'Auf Lager')
})

test('a sale price is shown from its start until its end', async () => {
  const store = await buildStore()
  await buildProduct(store, {
    variants: [{ salePriceMinor: 700n, saleStartsAt: inMs(60_000), saleEndsAt: inMs(120_000) }],
  })
  // The query differs, so that no answer is kept from before the clock was moved.
  const after = async (ms: number) => {
    moveClock(ms)
    const { data } = await request(`GET /products?price_max=${100_000 + ms}`, { store })
    return [data[0].special_price, data[0].variants[0].sale_price]
  }

  assert.deepEqual(await after(0), [null, null])
  assert.deepEqual(await after(61_000), [7, 7])
  assert.deepEqual(await after(121_000), [null, null])
})

test('a cached response has an ETag, and a committed change, also of stock, invalidates it', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { nameI18n: { en: 'Mug' }, variants: [{ stockOnHand: 1 }] })

  const first = await request('GET /products', { store })
  const etag = first.headers.get('ETag') ?? ''
  const asked = { store, headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } }
  const again = await request('GET /products', asked)
  const { bumpCatalogVersion } = await import('#shared/platform/cache/catalog-version.ts')
  await inStore(store.id, async (tx) => {
    await tx.knex('product_variants').where('id', variants[0]?.id).update({ stock_held: 1 })
    bumpCatalogVersion(tx)
  })
  const soldOut = await request('GET /products', asked)
  await buildProduct(store)
  const grown = await request('GET /products', { store })

  assert.match(first.headers.get('Cache-Control') ?? '', /private/)
  assert.equal(again.status, 304)
  assert.equal(soldOut.status, 200)
  assert.equal(soldOut.data[0].in_stock, false)
  assert.equal(soldOut.data[0].stock_status_name, 'Out of stock')
  assert.equal(grown.meta.total, 2)
})

test('products are listed by several ids, SKUs and manufacturers', async () => {
  const store = await buildStore()
  const [hill, dale] = [await buildManufacturer(store), await buildManufacturer(store)]
  const coat = await buildProduct(store, { slug: 'coat', manufacturerId: hill.id, sku: 'C,1' })
  const mug = await buildProduct(store, { slug: 'mug', manufacturerId: dale.id, sku: 'M-1' })
  const book = await buildProduct(store, { slug: 'book', variants: [{ sku: 'B-1' }] })
  const other = await buildProduct(await buildStore(), { slug: 'other', sku: 'O-1' })

  assert.deepEqual(await slugs(store, `?ids=${coat.id},${book.id.toUpperCase()}`), ['book', 'coat'])
  assert.deepEqual(await slugs(store, `?ids=${other.id}`), [])
  assert.deepEqual(await slugs(store, '?sku=M-1,B-1,none,O-1'), ['book', 'mug'])
  assert.deepEqual(await slugs(store, '?sku=M-1&sku=B-1'), ['book', 'mug'])
  assert.deepEqual(await slugs(store, `?manufacturer=${hill.id},${dale.id}`), ['mug', 'coat'])
  assert.deepEqual(
    await slugs(store, `?manufacturer=${hill.id},${dale.id}&sku=M-1,B-1&ids=${mug.id}&in_stock=true`),
    ['mug'],
  )
})

test('an invalid id among several is named by its place', async () => {
  const store = await buildStore()

  const { status, detail } = await request(`GET /products?ids=${newId()},x`, { store })

  assert.equal(status, 422)
  assert.deepEqual(detail[0].loc, ['query', 'ids', 1])
})

test('an unknown parameter or a value out of bounds returns 422', async () => {
  const store = await buildStore()
  const refused = [
    'colour=red',
    'page=0',
    'page_size=101',
    'page=1001&page_size=100',
    'sort=sku',
    'price_min=-1',
    'price_min=1.999',
    'manufacturer=x',
    'ids=',
    `ids=${Array.from({ length: 101 }, () => newId()).join()}`,
    'sku=a,,b',
    'in_stock=perhaps',
    'attribute=oak',
    'facets=perhaps',
    `attribute=${newId()}`,
    Array.from({ length: 21 }, () => `attribute=${newId()}:a`).join('&'),
    'q=',
  ]
  for (const query of refused) {
    const { status, error_code, detail } = await request(`GET /products?${query}`, { store })
    assert.equal(status, 422, query)
    assert.equal(error_code, 'validation.failed')
    assert.equal(detail[0].loc[0], 'query')
  }
})
