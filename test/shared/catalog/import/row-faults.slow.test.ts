import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { catalogOf, csv, importCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'

interface RowError {
  severity: string
  line: number
  field: string | null
  message: string
  value: string | null
}

async function imported(...files: string[]) {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  let report: { status: string; errors: RowError[]; error_count: number } = {
    status: '',
    errors: [],
    error_count: 0,
  }
  for (const file of files) report = await importCsv(store, token, file)
  return { ...report, catalog: await catalogOf(store) }
}

const HEADER =
  'Handle,Title,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price,Variant Inventory Qty,Variant Inventory Policy,Variant Grams,Image Src,SEO Title'

const skusOf = (catalog: Awaited<ReturnType<typeof catalogOf>>) =>
  [...catalog.values()].flatMap(({ variants }) => variants.map(({ sku }) => sku))

/** Cells in the order of HEADER, each with the fault that is reported for it. */
const BAD_VARIANTS: [name: string, row: string, field: string, message: RegExp][] = [
  ['without a price', 'cup,,,,Large,L,,,,,,,', 'Variant Price', /needs a price/],
  ['with a price in words', 'cup,,,,Large,L,cheap,,,,,,', 'Variant Price', /amount in EUR/],
  ['with a price in other signs', 'cup,,,,Large,L,"1,299.00",,,,,,', 'Variant Price', /amount in EUR/],
  ['with a price below zero', 'cup,,,,Large,L,-1,,,,,,', 'Variant Price', /not below zero/],
  ['with more decimals than the currency', 'cup,,,,Large,L,1.999,,,,,,', 'Variant Price', /amount in EUR/],
  [
    'with a price past all measure',
    'cup,,,,Large,L,9999999999999,,,,,,',
    'Variant Price',
    /Use at most 12 digits/,
  ],
  ['with a price to compare that is none', 'cup,,,,Large,L,1,x,,,,,', 'Variant Compare At Price', /amount/],
  ['with stock in words', 'cup,,,,Large,L,1,,many,,,,', 'Variant Inventory Qty', /Write a number/],
  ['with stock past all measure', 'cup,,,,Large,L,1,,3000000000,,,,', 'Variant Inventory Qty', /at most/],
  ['with an unknown policy', 'cup,,,,Large,L,1,,,maybe,,,', 'Variant Inventory Policy', /deny or continue/],
  ['with a weight in words', 'cup,,,,Large,L,1,,,,light,,', 'Variant Grams', /Write a number/],
  ['with a NUL in its SKU', 'cup,,,,Large,L\0L,1,,,,,,', 'Variant SKU', /NUL/],
  ['with an SKU that is too long', `cup,,,,Large,${'L'.repeat(101)},1,,,,,,`, 'Variant SKU', /at most 100/],
  ['without its option', 'cup,,,,,L,1,,,,,,', 'Option1 Value', /option Size is missing/],
  [
    'with the options of another',
    'cup,,,,Small,L,1,,,,,,',
    'Option1 Value',
    /variant S has the same options/,
  ],
  ['with the SKU of another row', 'cup,,,,Large,S,1,,,,,,', 'Variant SKU', /Line 2 has this SKU already/],
  ['with the SKU of another product', 'cup,,,,Large,PAN,1,,,,,,', 'Variant SKU', /"pan"/],
  ['with more cells than the header', 'cup,,,,Large,L,1,,,,,,,,oops', '', /15 cells and the header 13/],
]

for (const [name, row, field, message] of BAD_VARIANTS)
  test(`a variant ${name} is skipped and reported; the others are imported`, async () => {
    const { errors, catalog, status } = await imported(
      csv(HEADER, 'pan,Pan,,,,PAN,30,,,,,,'),
      csv(HEADER, 'cup,Cup,true,Size,Small,S,9.50,,3,deny,200,,', row, 'cup,,,,Huge,H,20,,,,,,'),
    )

    assert.equal(status, 'succeeded')
    assert.deepEqual(
      errors.map((error) => ({ line: error.line, field: error.field })),
      [{ line: 3, field }],
    )
    assert.match(errors[0]?.message ?? '', message)
    assert.deepEqual(skusOf(catalog), ['S', 'H', 'PAN'])
  })

const BAD_PRODUCTS: [name: string, row: string, field: string, message: RegExp][] = [
  ['without a title', 'bowl,,,,,B,5,,,,,,', 'Title', /needs a title/],
  ['with a title that is too long', `bowl,${'b'.repeat(301)},,,,B,5,,,,,,`, 'Title', /at most 300/],
  ['with a NUL in its title', 'bowl,Bo\0wl,,,,B,5,,,,,,', 'Title', /NUL/],
  ['that is published "perhaps"', 'bowl,Bowl,perhaps,,,B,5,,,,,,', 'Published', /true or false/],
  [
    'with too long a title for search engines',
    `bowl,Bowl,,,,B,5,,,,,,${'s'.repeat(501)}`,
    'SEO Title',
    /500/,
  ],
  ['without a handle', ',Bowl,,,,B,5,,,,,,', 'Handle', /handle of the product is missing/],
  [
    'whose first row names no option',
    'bowl,Bowl,,,Deep,B,5,,,,,,',
    'Option1 Value',
    /leaves the option's name empty/,
  ],
  ['without a variant', 'bowl,,,,,,,,,,,https://img.example/b.jpg,', 'Title', /needs a title/],
]

for (const [name, row, field, message] of BAD_PRODUCTS)
  test(`a product ${name} is skipped and reported; the others are imported`, async () => {
    const { errors, catalog } = await imported(
      csv(HEADER, 'cup,Cup,,,,S,9.50,,,,,,', row, 'pan,Pan,,,,PAN,30,,,,,,'),
    )

    assert.deepEqual(
      errors.map((error) => ({ line: error.line, field: error.field })),
      [{ line: 3, field }],
    )
    assert.match(errors[0]?.message ?? '', message)
    assert.deepEqual([...catalog.keys()], ['cup', 'pan'])
  })

test('a faulty image is skipped; its variant is imported', async () => {
  const { errors, catalog } = await imported(csv(HEADER, 'cup,Cup,,,,S,9.50,,,,,javascript:alert(1),'))

  assert.deepEqual(
    errors.map((error) => ({ line: error.line, field: error.field, value: error.value })),
    [{ line: 2, field: 'Image Src', value: 'javascript:alert(1)' }],
  )
  assert.deepEqual(catalog.get('cup')?.product.images, [])
  assert.deepEqual(skusOf(catalog), ['S'])
})

test('line numbers are correct after multi-line texts and empty lines', async () => {
  const { errors } = await imported(
    'Handle,Title,Body (HTML),Variant Price\r\ncup,Cup,"<p>\r\nOne\r\n</p>",9\r\n\r\npan,Pan,,x\r\n',
  )

  assert.deepEqual(
    errors.map(({ line }) => line),
    [6],
  )
})

test('the text of a faulty cell is shortened and printable', async () => {
  const { errors } = await imported(csv(HEADER, `cup,Cup,,,,S,${'9'.repeat(500)}\0\x1b[31m,,,,,,`))

  assert.equal(errors[0]?.value?.length, 200)
})

test('new options without all variants in the file are a fault', async () => {
  const { errors, catalog } = await imported(
    csv(HEADER, 'cup,Cup,,Size,Small,S,9,,,,,,', 'cup,,,,Large,L,12,,,,,,'),
    csv(HEADER, 'cup,Cup,,Volume,200 ml,S,9,,,,,,'),
  )

  assert.equal(errors[0]?.field, 'Option1 Name')
  assert.match(errors[0]?.message ?? '', /its variant L is not in the file/)
  assert.deepEqual(catalog.get('cup')?.variants[0]?.optionValues, { Size: 'Small' })
})

test('new options with all variants in the file are imported', async () => {
  const { errors, catalog } = await imported(
    csv(HEADER, 'cup,Cup,,Size,Small,S,9,,,,,,', 'cup,,,,Large,L,12,,,,,,'),
    csv(HEADER, 'cup,Cup,,Volume,200 ml,S,9,,,,,,', 'cup,,,,300 ml,L,12,,,,,,'),
  )

  assert.deepEqual(errors, [])
  assert.deepEqual(catalog.get('cup')?.product.options, [{ name: 'Volume', values: ['200 ml', '300 ml'] }])
})

test('stock below zero is imported with a warning', async () => {
  const { errors, catalog } = await imported(csv(HEADER, 'cup,Cup,,,,S,9.50,,-3,,,,'))

  assert.partialDeepStrictEqual(errors, [
    { severity: 'warning', line: 2, field: 'Variant Inventory Qty', value: '-3' },
  ])
  assert.equal(catalog.get('cup')?.variants[0]?.stockOnHand, -3)
})

for (const [name, sku, expected] of [
  ['an apostrophe before a SKU is removed', "'00123", '00123'],
  ['spaces around a SKU are removed', ' 00123 ', '00123'],
] as const)
  test(name, async () => {
    const { errors, catalog } = await imported(
      csv('Handle,Title,Variant Price,Variant SKU,Variant Barcode', `cup,Cup,9,${sku},${sku}`),
    )

    assert.deepEqual(errors, [])
    const [variant] = catalog.get('cup')?.variants ?? []
    assert.partialDeepStrictEqual(variant, { sku: expected, barcode: expected })
  })

for (const code of ['1.23E+05', '4,00638E+12', '1E+05'])
  test(`a SKU that a spreadsheet has rounded to ${code} is imported with a warning`, async () => {
    const { errors, catalog } = await imported(
      csv('Handle,Title,Variant Price,Variant SKU', `cup,Cup,9,"${code}"`),
    )

    assert.partialDeepStrictEqual(errors, [
      { severity: 'warning', line: 2, field: 'Variant SKU', value: code },
    ])
    assert.deepEqual(skusOf(catalog), [code])
  })

test('a row with too few cells is one fault', async () => {
  const { errors, catalog } = await imported(csv(HEADER, 'cup,Cup,,,,S,9.50', 'pan,Pan', 'mug'))

  assert.deepEqual(
    errors.map(({ line, message }) => ({ line, tooFew: /only \d of 13 cells/.test(message) })),
    [
      { line: 3, tooFew: true },
      { line: 4, tooFew: true },
    ],
  )
  // Spreadsheets leave out empty cells at the end of a row.
  assert.deepEqual(skusOf(catalog), ['S'])
})
