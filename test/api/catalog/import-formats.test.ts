import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import '#test/support/database.ts'
import { listImports } from '#shared/imports/list-imports.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { catalogOf, countRows, csv, readJob } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { readDescribed } from '#test/support/requests/described.ts'

async function openStore(role = 'catalog') {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role })
  return { store, token }
}

async function send(token: string, body: string | Buffer, query = '', path = '/admin/products/import') {
  const response = await fetch(`${baseUrl}/api/v1${path}?${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
    body: body as string,
  })
  const { data, error, error_code: code } = await readDescribed('POST', path, response)
  return { status: response.status, data, error, code }
}

async function load(body: string | Buffer, query?: string) {
  const { store, token } = await openStore()
  const { status, data, error } = await send(token, body, query)
  assert.equal(status, 202, error)
  await drainJobs()
  const report = await readJob(token, data?.id ?? '')
  return { report, catalog: await catalogOf(store), store, token }
}

const NEW_SHOPIFY = csv(
  'Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Inventory tracker,Inventory quantity,Continue selling when out of stock,Weight value (grams),Product image URL,Image position,Image alt text,Variant image URL,SEO title',
  'Oak stool,oak-stool,<p>Oak</p>,Wood & Co,Furniture > Chairs,Stools,"oak, stool",TRUE,active,\'00045,,Height,45 cm,89.00,99.00,shopify,4,DENY,3200,https://img.example/45.jpg,1,45,https://img.example/45.jpg,Stool',
  ',oak-stool,,,,,,,,OAK-65,,,65 cm,99.00,,shopify,-1,CONTINUE,3900,,,,,',
)

test("Shopify's new product export is imported, with the columns that are not", async () => {
  const { report, catalog } = await load(NEW_SHOPIFY)

  assert.partialDeepStrictEqual(report, {
    format: 'shopify',
    error_count: 0,
    warning_count: 1,
    ignored_columns: ['Product category'],
  })
  const { product, variants } = catalog.get('oak-stool') ?? assert.fail('no product')
  assert.partialDeepStrictEqual(product, {
    nameI18n: { en: 'Oak stool' },
    descriptionI18n: { en: '<p>Oak</p>' },
    tags: ['oak', 'stool'],
    options: [{ name: 'Height', values: ['45 cm', '65 cm'] }],
  })
  assert.partialDeepStrictEqual(variants[0], {
    sku: '00045',
    salePriceMinor: 8_900n,
    stockOnHand: 4,
    backorder: false,
    weightGrams: 3_200,
  })
  assert.partialDeepStrictEqual(variants[1], { sku: 'OAK-65', stockOnHand: -1, backorder: true })
})

test('the own format has texts in several languages, sales with a window, and categories in categories', async () => {
  const { report, catalog, store } = await load(
    csv(
      'slug,name,name:de,categories,tags,sku,price,sale_price,sale_starts_at,sale_ends_at,backorder,variant_is_active',
      'cup,Cup,Tasse,"Home > Kitchen, Home","a, ""b, c""",CUP,9,7,2026-12-01,2026-12-24T12:00:00+01:00,true,false',
    ),
  )

  assert.partialDeepStrictEqual(report, { format: 'own', error_count: 0, ignored_columns: [] })
  const { product, variants } = catalog.get('cup') ?? assert.fail('no product')
  assert.deepEqual(product.nameI18n, { en: 'Cup', de: 'Tasse' })
  assert.deepEqual(product.tags, ['a', 'b, c'])
  assert.partialDeepStrictEqual(variants[0], {
    priceMinor: null,
    salePriceMinor: 700n,
    saleStartsAt: new Date('2026-12-01T00:00:00Z'),
    saleEndsAt: new Date('2026-12-24T11:00:00Z'),
    backorder: true,
    isActive: false,
  })
  assert.equal(await countRows(store, 'product_categories'), 2)
  assert.equal(await countRows(store, 'categories', { parent_id: null }), 1)
})

test('equal names below different categories are different categories', async () => {
  const file = csv('slug,name,sku,price,categories', 'a,A,A,1,Women > Shoes', 'b,B,B,1,Men > Shoes')

  const { store, token } = await load(file)
  await send(token, file)
  await drainJobs()

  assert.equal(await countRows(store, 'categories'), 4)
  assert.equal(await countRows(store, 'product_categories'), 2)
})

test('a file of the own format can change some columns of existing products alone', async () => {
  const { store, token } = await load(csv('slug,name,sku,price,stock_on_hand', 'cup,Cup,CUP,9,3'))

  await send(token, csv('slug,sku,stock_on_hand', 'cup,CUP,8'))
  await drainJobs()

  const { product, variants } = (await catalogOf(store)).get('cup') ?? assert.fail('no product')
  assert.partialDeepStrictEqual(
    { product, variant: variants[0] },
    {
      product: { priceMinor: 900n },
      variant: { stockOnHand: 8, priceMinor: null },
    },
  )
})

const mapping = (columns: object) => `columns=${encodeURIComponent(JSON.stringify(columns))}`

test('a mapping reads a file in no known format, with decimal commas', async () => {
  const { report, catalog } = await load(
    'Artikel;Preis;Lager;Notiz\nHölzerner Löffel;"1.299,50";7;alt\n',
    `decimal_comma=true&${mapping({ Artikel: 'name', Preis: 'price', Lager: 'stock_on_hand' })}`,
  )

  assert.partialDeepStrictEqual(report, {
    format: 'mapped',
    delimiter: ';',
    error_count: 0,
    ignored_columns: ['Notiz'],
  })
  const [found] = catalog.values()
  assert.partialDeepStrictEqual(found?.product, { slug: 'holzerner-loffel', priceMinor: 129_950n })
})

test('a price with a decimal comma is a fault that names the option for it', async () => {
  const { report } = await load('slug;name;price\ncup;Cup;9,50\n')

  assert.match(report.errors[0].message, /decimal_comma=true/)
})

for (const [name, delimiter, file] of [
  ['semicolons', ';', 'slug;name;price\ncup;"Cup; blue";9\n'],
  ['tabs', '\t', 'slug\tname\tprice\ncup\tCup, blue\t9\n'],
  ['bars', '|', 'slug|name|price\ncup|Cup, blue|9\n'],
  ['the separator of its first line', ';', 'sep=;\r\nslug;name;price\r\ncup;Cup;9\r\n'],
  ['commas in quoted names of columns', ',', '"slug","name","a;b;c;d",price\ncup,Cup,,9\n'],
] as const)
  test(`a file with ${name} is imported`, async () => {
    const { report, catalog } = await load(file)

    assert.partialDeepStrictEqual(report, { delimiter, error_count: 0, products_created: 1 })
    assert.ok(catalog.has('cup'))
  })

const umlauts = `slug,name,price\ncup,Täßchen für Ölé,9\n`
const utf16 = (text: string, mark: string) => Buffer.from(mark + text, 'utf16le')

for (const [name, encoding, bytes] of [
  ['UTF-8 with a mark', 'utf-8', Buffer.from(`\ufeff${umlauts}`)],
  ['UTF-16 with a mark', 'utf-16le', utf16(umlauts, '\ufeff')],
  ['UTF-16 without a mark', 'utf-16le', utf16(umlauts, '')],
  ['UTF-16, big end first', 'utf-16be', utf16(umlauts, '\ufeff').swap16()],
  ['Windows-1252', 'windows-1252', Buffer.from(umlauts, 'latin1')],
] as const)
  test(`a file in ${name} is imported, and the report says so`, async () => {
    const { report, catalog } = await load(bytes)

    assert.partialDeepStrictEqual(report, { encoding, error_count: 0 })
    assert.deepEqual(catalog.get('cup')?.product.nameI18n, { en: 'Täßchen für Ölé' })
  })

test('a file that is UTF-8 at first and something else later returns 422 import.not_utf8', async () => {
  const { store, token } = await openStore()
  const rows = 'cup,Täßchen,9\n'.repeat(20_000)

  const { status, code } = await send(
    token,
    Buffer.concat([Buffer.from(`slug,name,price\n${rows}`), Buffer.from('cup,T\xe4\xdfchen,9\n', 'latin1')]),
  )

  assert.deepEqual({ status, code }, { status: 422, code: 'import.not_utf8' })
  assert.equal(await countRows(store, 'import_jobs'), 0)
})

const zip = (entry: string) => Buffer.from(`PK\x03\x04\x14\0\0\0\b\0${'\0'.repeat(20)}${entry}`, 'latin1')

for (const [kind, bytes] of [
  ['an Excel workbook', zip('[Content_Types].xml')],
  ['an Excel workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['an OpenDocument spreadsheet', zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')],
  ['a ZIP archive', zip('products.csv')],
  ['compressed with gzip', gzipSync(umlauts)],
  ['a web page', Buffer.from('<!DOCTYPE html><html><title>Sign in</title>')],
  ['a JSON file', Buffer.from('[{"slug":"cup"}]')],
] as const)
  test(`a file that is ${kind} returns 422, and the error names what it is`, async () => {
    const { store, token } = await openStore()

    const { status, code, error } = await send(token, bytes)

    assert.deepEqual({ status, code }, { status: 422, code: 'import.not_csv' })
    assert.match(error, new RegExp(`The file is ${kind}, not CSV`))
    assert.equal(await countRows(store, 'import_jobs'), 0)
  })

for (const [name, file, message] of [
  [
    'lacks columns of a format',
    'Handle,Title,Vendor\na,A,B\n',
    /nearest to Shopify's product export, .*Variant Price/,
  ],
  [
    'lacks columns of the new export',
    'Title,Price,SKU\nA,1,B\n',
    /Shopify's new product export, .*URL handle/,
  ],
  ['names no known column', 'Bezeichnung;Kosten\nA;1\n', /begins with "Bezeichnung \| Kosten"/],
] as const)
  test(`a header that ${name} returns 422 immediately`, async () => {
    const { store, token } = await openStore()

    const { status, code, error } = await send(token, file)

    assert.deepEqual({ status, code }, { status: 422, code: 'import.unknown_header' })
    assert.match(error, message)
    assert.equal(await countRows(store, 'import_jobs'), 0)
  })

test('a header with a quote that does not end returns 422 with its line', async () => {
  const { token } = await openStore()

  const { code, error } = await send(token, 'sep=,\n"Handle,Title\na,b\n')

  assert.equal(code, 'import.unreadable_header')
  assert.match(error, /on line 2, starts a quoted text that does not end/)
})

test('a header of as many columns as an Excel sheet is read, and one of more than 20,000 returns 422', async () => {
  const { token } = await openStore()
  const wide = (columns: number) => `slug,name${','.repeat(columns - 2)}\na,A\n`

  assert.equal((await send(token, wide(16_384))).status, 202)
  const { status, code, error } = await send(token, wide(20_001))

  assert.deepEqual({ status, code }, { status: 422, code: 'import.too_many_columns' })
  assert.match(error, /more than 20000 columns/)
})

for (const [name, columns, code] of [
  ['a column that the file does not have', { Preis: 'price', Titel: 'name' }, 'import.unknown_column'],
  ['a column that does not exist', { Artikel: 'colour' }, 'import.unknown_column'],
  ['no name and no slug', { Lager: 'stock_on_hand' }, 'import.unknown_header'],
] as const)
  test(`a mapping with ${name} returns 422`, async () => {
    const { token } = await openStore()

    assert.equal((await send(token, 'Artikel;Lager\nA;1\n', mapping(columns))).code, code)
  })

test('a mapping that is no JSON object of texts returns 422', async () => {
  const { token } = await openStore()

  for (const columns of ['price', '["price"]', '{"Preis":1}', 'null'])
    assert.equal(
      (await send(token, 'slug\na\n', `columns=${encodeURIComponent(columns)}`)).code,
      'validation.failed',
    )
})

const SHARED_SKU = csv(
  'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price',
  'cup,Cup,Size,S,CUP,9',
  'cup,,,L,CUP,12',
  'mug,Mug,,,CUP,7',
)

test('variants with one SKU are faults that name the way through', async () => {
  const { report } = await load(SHARED_SKU)

  assert.deepEqual(
    report.errors.map(({ line, severity }: { line: number; severity: string }) => ({ line, severity })),
    [
      { line: 3, severity: 'error' },
      { line: 4, severity: 'error' },
    ],
  )
  assert.match(report.errors[0].message, /duplicate_skus=rename/)
})

test('with duplicate_skus=rename later variants get a new SKU, the same one at each import', async () => {
  const { report, catalog, store, token } = await load(SHARED_SKU, 'duplicate_skus=rename')

  assert.partialDeepStrictEqual(report, { error_count: 0, warning_count: 2, variants_created: 3 })
  const { data } = await send(token, SHARED_SKU, 'duplicate_skus=rename')
  await drainJobs()
  assert.partialDeepStrictEqual(await readJob(token, data?.id ?? ''), {
    error_count: 0,
    variants_created: 0,
    variants_changed: 0,
    variants_updated: 3,
  })
  assert.deepEqual(await catalogOf(store), catalog)
})

test('rows without any text are counted and not imported', async () => {
  const { report } = await load('slug,name,price\n\ncup,Cup,9\n,,\n   ,,\n\nmug,Mug,\n')

  assert.partialDeepStrictEqual(report, { rows_ignored: 4, error_count: 1, products_created: 1 })
})

test('an import names the first of many ignored columns, and a list of imports reads no header', async () => {
  const { store, token } = await openStore()
  const names = Array.from({ length: 19_000 }, (_, i) => `${i}`)
  const sent = await send(token, csv(`slug,${'x'.repeat(200)},${names}`))

  const { results } = await inStore(store.id, (tx) => listImports(tx, 'products', { page: 1, page_size: 1 }))

  const ignored = ['x'.repeat(100), ...names.slice(0, 199)]
  assert.deepEqual((await readJob(token, sent.data?.id ?? '')).ignored_columns, ignored)
  assert.deepEqual(
    results.map(({ ignoredColumns, columns }) => ({ ignoredColumns, columns })),
    [{ ignoredColumns: ignored, columns: undefined }],
  )
})

test('a message that names long cells is shortened, and has no NUL characters', async () => {
  const { report } = await load(
    csv(
      'Type,SKU,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
      `grouped\0${'g'.repeat(100_000)},A,One,1,,,`,
      `simple,B,Two,2,,fab\0ric${'f'.repeat(100_000)},linen`,
      'variation,C,Three,3,no\0ne,,',
    ),
  )

  assert.partialDeepStrictEqual(report, { status: 'succeeded', products_created: 1 })
  const messages: string[] = report.errors.map(({ message }: { message: string }) => message)
  assert.equal(messages.length, 3)
  for (const message of messages) assert.ok(message.length <= 1_000 && !message.includes('\0'), message)
})

test('a header with NUL characters is read without them', async () => {
  const { report, token } = await load(csv('Handle,Title,Variant Price,no\0te', 'one,One,1,x'))

  assert.partialDeepStrictEqual(report, { products_created: 1, ignored_columns: ['note'] })
  assert.equal((await send(token, 'sep=\0\nHandle\0Title\0Variant Price\n')).code, 'import.unknown_header')
})

test('a mapping with text that cannot be stored returns 400', async () => {
  const { token } = await openStore()

  for (const name of ['Preis\0', 'Preis\ud800'])
    assert.equal((await send(token, 'slug\na\n', mapping({ [name]: 'price' }))).code, 'request.malformed')
})

const mixedCustomers = Buffer.concat([
  Buffer.from(`email,firstname\n${'ada@example.test,Zoë\n'.repeat(20_000)}`),
  Buffer.from('ada@example.test,Zo\xeb\n', 'latin1'),
])

for (const [name, file, query, expected] of [
  ['that is empty', '', '', { status: 422, code: 'import.empty' }],
  ['that is a web page', '<!DOCTYPE html><html></html>', '', { status: 422, code: 'import.not_csv' }],
  ['in two encodings', mixedCustomers, '', { status: 422, code: 'import.not_utf8' }],
  [
    'with a quote in the header that does not end',
    '"email,firstname\na,b\n',
    '',
    { status: 422, code: 'import.unreadable_header' },
  ],
  [
    'with more than 20,000 columns',
    `email${','.repeat(20_000)}\n`,
    '',
    { status: 422, code: 'import.too_many_columns' },
  ],
  [
    'and a mapping with a column that the file does not have',
    'Mail\nada@example.test\n',
    mapping({ 'E-Mail': 'email' }),
    { status: 422, code: 'import.unknown_column' },
  ],
  [
    'and a mapping with text that cannot be stored',
    'Mail\nada@example.test\n',
    mapping({ 'Mail\0': 'email' }),
    { status: 400, code: 'request.malformed' },
  ],
] as const)
  test(`a file of customers ${name} returns ${expected.status} ${expected.code}`, async () => {
    const { store, token } = await openStore('sales')

    const { status, code } = await send(token, file, query, '/admin/customers/import')

    assert.deepEqual({ status, code }, expected)
    assert.equal(await countRows(store, 'import_jobs'), 0)
  })
