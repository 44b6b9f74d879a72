import { planImages } from '#shared/catalog/import/plan/plan-images.ts'
import { planVariants } from '#shared/catalog/import/plan/plan-variants.ts'
import type { WooColumns } from '#shared/catalog/import/woocommerce/woo-header.ts'
import { indexWooRows } from '#shared/catalog/import/woocommerce/woo-index.ts'
import type { CustomerHeader } from '#shared/customers/import/columns.ts'
import { readCustomerAddress } from '#shared/customers/import/read-customer-address.ts'
import { CellReader } from '#shared/imports/file/cell-reader.ts'
import type { CsvRecord } from '#shared/imports/file/csv-record.ts'
import { list, reader } from './reader.ts'

type Rows = Parameters<typeof planVariants>[0]
type PlanContext = Parameters<typeof planVariants>[1]

const OPTIONS = list(10, (place) => `option ${place}`)
const choiceOf = (value: string) => Object.fromEntries(OPTIONS.map((name) => [name, `${name} ${value}`]))

const rowWithoutSku = (value: string, line: number) => ({
  line,
  variant: {
    sku: null,
    generatedSku: () => `sku-${value}`,
    optionValues: Object.values(choiceOf(value)),
    prices: { priceMinor: 900n },
  },
})

const contextOf = (values: string[]) =>
  ({
    productId: 'p',
    slug: 'cup',
    before: {
      product: { priceMinor: 900n },
      variants: values.map((value, position) => ({
        id: value,
        sku: `own-${value}`,
        productId: 'p',
        position,
        optionValues: choiceOf(value),
      })),
    },
    names: OPTIONS,
    known: { bySku: new Map(), claimedSkus: new Map(), slugs: new Map() },
    header: { at: {}, names: [] },
    renamesDuplicates: false,
  }) as unknown as PlanContext

const WOO_COLUMNS = {
  at: { type: 0, slug: 1, name: 2, sku: 3 },
  id: 4,
  attributes: [{ name: 5, value: 6 }],
} as unknown as WooColumns

async function* variations(count: number): AsyncGenerator<CsvRecord> {
  const record = (line: number, cells: string[]) => ({ cells, line, end: { byte: line * 10, line } })
  yield record(1, ['variable', '', 'Cup', 'CUP', '1', '', ''])
  for (let n = 0; n < count; n++) yield record(n + 2, ['variation', 'CUP', '', '', '', `Attribute ${n}`, 'v'])
}

const ADDRESS = ['address_1', 'address_city', 'address_postcode', 'address_country'] as const
const ADDRESS_HEADER: CustomerHeader = {
  format: 'own',
  at: Object.fromEntries(ADDRESS.map((column, index) => [column, index])),
  names: [...ADDRESS],
  ignored: [],
}

export const PLANS = [
  reader({
    name: 'variants without a SKU beside those of the product',
    most: 1_000,
    make: (size) => ({
      rows: list(size, (n) => rowWithoutSku(`new ${n}`, n)),
      known: list(size, (n) => `${n}`),
    }),
    read: ({ rows, known }) => planVariants(rows as unknown as Rows, contextOf(known)),
  }),
  reader({
    name: 'the images of an imported product and of its variants',
    most: 2_500,
    make: (size) => list(size, (n) => `https://a.test/${`${n}`.padStart(20, '0')}`),
    read: (urls) =>
      planImages(
        [],
        urls.map((url) => ({ url, alt: null, position: null })),
        urls.map((imageUrl, n) => ({ variant: { id: `${n}` }, imageUrl })) as Parameters<
          typeof planImages
        >[2],
      ),
  }),
  reader({
    name: 'WooCommerce variations that each name another attribute',
    most: 10_000,
    make: (size) => size,
    read: (size) => indexWooRows(variations(size), { byte: 0, line: 0 }, WOO_COLUMNS),
    pauses: true,
  }),
  reader({
    name: 'addresses in unknown countries',
    most: 1_000,
    make: (size) => list(size, (n) => `Atlantis ${n}`),
    read: (countries) => {
      const file = { header: ADDRESS_HEADER, currency: 'EUR', decimalComma: false }
      return countries.map((country) =>
        readCustomerAddress(new CellReader(['Main Street 1', 'Town', '12345', country], 2, file), 'de'),
      )
    },
  }),
]
