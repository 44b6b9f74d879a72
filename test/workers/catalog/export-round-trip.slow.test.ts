import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import fc from 'fast-check'
import type { NewImage, NewVariant } from '#shared/catalog/new-product.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildCategory, buildManufacturer, buildProduct } from '#test/support/builders/catalog.ts'
import { catalogOf, importCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

// What staff can save as a product is exported and imported again, and nothing changes.

const line = (maxLength = 40) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength }),
    fc
      .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', ' ', '\t', '\n', '\r', 'a', '0', '>'), {
        minLength: 1,
        maxLength: 8,
      })
      .map((parts) => parts.join('')),
  )
const words = (maxLength?: number) =>
  line(maxLength).filter((text) => /\S/.test(text) && !text.includes('\0') && text.isWellFormed())
const texts = fc.dictionary(fc.constantFrom('en', 'de', 'pt-BR'), words(), {
  minKeys: 1,
  noNullPrototype: true,
})
const optionalTexts = fc.option(texts, { nil: {} })
const minor = fc.bigInt(0n, 10_000_000n)
const time = fc.option(
  fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
  { nil: null },
)

let number = 0
const code = fc.oneof(words(20), fc.constantFrom("'0", '0012', '4006381333931', '12E4', '=1', ' A'))
const uniqueCode = code.map((text) => `${text}${++number}`.slice(0, 100))

const options = fc
  .uniqueArray(words(10), { maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.uniqueArray(words(10), { minLength: 1, maxLength: 2 }).map((values) => ({ name, values })),
      ),
    ),
  )

type Option = { name: string; values: string[] }

const combinations = (all: Option[]): Record<string, string>[] =>
  all.reduce<Record<string, string>[]>(
    (made, { name, values }) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )

const sale = fc.tuple(fc.option(minor, { nil: null }), time, time).map(([salePriceMinor, a, b]) => {
  const [saleStartsAt, saleEndsAt] = a && b && a > b ? [b, a] : [a, b]
  const isWindow = !(saleStartsAt && saleEndsAt && saleEndsAt <= saleStartsAt)
  return { salePriceMinor, saleStartsAt, saleEndsAt: isWindow ? saleEndsAt : null }
})

const variantOf = (optionValues: Record<string, string>): fc.Arbitrary<NewVariant> =>
  fc
    .record({
      sku: uniqueCode,
      priceMinor: fc.option(minor, { nil: null }),
      barcode: fc.option(code, { nil: null }),
      weightGrams: fc.option(fc.nat(100_000), { nil: null }),
      stockOnHand: fc.integer({ min: -50, max: 1_000 }),
      backorder: fc.boolean(),
      isActive: fc.boolean(),
      sale,
    })
    .map(({ sale: of, ...fields }) => ({ ...fields, ...of, optionValues }))

const url = fc
  .tuple(fc.constantFrom('https', 'http'), fc.stringMatching(/^[a-z0-9 ,"'=-]{0,12}$/))
  .map(([scheme, path]) => `${scheme}://img.example/${path}`)

const product = options.chain((chosen) =>
  fc.record({
    options: fc.constant(chosen as Option[]),
    variants: fc.tuple(...combinations(chosen as Option[]).map(variantOf)),
    nameI18n: texts,
    descriptionI18n: optionalTexts,
    title: optionalTexts,
    priceMinor: minor,
    tags: fc.uniqueArray(words(20), { maxLength: 4 }),
    isActive: fc.boolean(),
    images: fc.array(fc.record({ url, alt: fc.option(words(), { nil: '' }), shows: fc.nat(3) }), {
      maxLength: 5,
    }),
    isPlaced: fc.boolean(),
  }),
)

type Drawn = typeof product extends fc.Arbitrary<infer T> ? T : never

async function storeOf(products: Drawn[]) {
  const store = await buildStore({ languages: ['en', 'de', 'pt-BR'] } as never)
  const { token } = await buildStaff(store, { role: 'catalog' })
  const parent = await buildCategory(store)
  const categories = [parent, await buildCategory(store, { parentId: parent.id }), await buildCategory(store)]
  const manufacturer = await buildManufacturer(store, '=Mak\'er, "1" ')
  for (const { images, isPlaced, title, ...fields } of products)
    await buildProduct(store, {
      ...fields,
      seo: Object.keys(title).length ? { title_i18n: title } : {},
      images: images.map(
        ({ shows, ...image }): NewImage => ({
          ...image,
          variantSkus: fields.variants.slice(0, shows).map(({ sku }) => sku),
        }),
      ),
      manufacturerId: isPlaced ? manufacturer.id : null,
      categoryIds: isPlaced ? categories.map(({ id }) => id) : [],
    })
  return { store, token }
}

const NO_CHANGE = {
  status: 'succeeded',
  errors: [],
  products_created: 0,
  products_changed: 0,
  variants_created: 0,
  variants_changed: 0,
}

for (const format of ['own', 'shopify'])
  test(`an export in the format ${format} changes nothing when it is imported`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(product, { minLength: 1, maxLength: 4 }), async (products) => {
        const { store, token } = await storeOf(products)
        const before = await catalogOf(store)
        const { data: file, headers } = await request(`GET /admin/products/export?format=${format}`, {
          token,
        })

        const checked = await importCsv(store, token, file, { dryRun: true })
        const imported = await importCsv(store, token, file)

        for (const report of [checked, imported]) {
          const errors = report.errors.filter(({ severity }: { severity: string }) => severity === 'error')
          assert.partialDeepStrictEqual({ ...report, errors }, NO_CHANGE)
          assert.equal(report.products_updated, products.length)
        }
        assert.equal(Number(headers.get('x-total-rows')), rowsIn(products))
        assert.deepEqual(await catalogOf(store), before)
      }),
      { numRuns: Number(process.env.ROUND_TRIPS ?? 25), seed: 486442753 },
    )
  })

const rowsIn = (products: Drawn[]): number =>
  products.reduce((rows, { variants, images }) => rows + Math.max(1, variants.length, images.length), 0)
