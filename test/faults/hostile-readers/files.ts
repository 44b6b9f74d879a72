import { addPlanned } from '#shared/catalog/import/plan/add-planned.ts'
import type { KnownProduct } from '#shared/catalog/import/plan/known-catalog.ts'
import { readHeader } from '#shared/catalog/import/read-header.ts'
import { readProductRow } from '#shared/catalog/import/rows/read-product-row.ts'
import { readWooColumns } from '#shared/catalog/import/woocommerce/woo-header.ts'
import { toRows } from '#shared/catalog/import/woocommerce/woo-rows.ts'
import { inspectStart } from '#shared/imports/file/inspect-start.ts'
import { readRecords } from '#shared/imports/file/read-records.ts'
import { list, ofText, ROW, reader } from './reader.ts'

const START = { byte: 0, line: 0 }

const WOO = ['ID', 'Type', 'SKU', 'Name', 'Regular price', 'Categories', 'Tags', 'Brands', 'Images']
const WOO_COLUMNS = readWooColumns(WOO)
const WOO_PRODUCT = { position: { byte: 0, length: 0, line: 2 }, slug: 'cup', options: [], variations: [] }
const SETTINGS = { currency: 'EUR', decimalComma: false }
const recordOf = (cells: string[]) => ({ cells, line: 2, end: { byte: 1, line: 2 } })
const CATEGORY_HEADER = readHeader(['slug', 'price', 'categories', 'tags'], null)

/** Readers of a header of many columns: the one of product files and WooCommerce's. */
const ofHeader = (columns: string, nameOf: (index: number) => string) => {
  const make = (size: number) => ['slug', 'price', ...list(size, nameOf)]
  const most = 20_000
  return [
    reader({ name: `a header of ${columns}`, most, make, read: (cells) => readHeader(cells, null) }),
    reader({
      name: `WooCommerce's header of ${columns}`,
      most,
      make,
      read: (cells) => readWooColumns(cells),
    }),
  ]
}

export const FILES = [
  ...ofText(
    'the first line of a file',
    ROW,
    [',', '"', '\n', ' ', '"",'],
    (text) => inspectStart(Buffer.from(text)),
    true,
  ),
  ...ofText(
    'the records of a file',
    100_000,
    ['\n', ',', '"",', 'a\n', '"a"\n'],
    async (text) => {
      for await (const _ of readRecords([Buffer.from(text)] as unknown as AsyncIterable<Buffer>, START, ','));
    },
    true,
  ),
  ...[5, 6, 7, 8].flatMap((place) =>
    ofText(`WooCommerce's ${WOO[place]}`, 100_000, ['a,', ' '], (text) =>
      toRows(
        WOO.map((_, index) => (index === place ? text : '1')),
        WOO_PRODUCT,
        WOO_COLUMNS,
        false,
      ),
    ),
  ),
  ...['Attribut 1 Wert(e) ', 'Attribute 1 name', 'name:de', 'Handle'].flatMap((name) =>
    ofHeader(name, (n) => `${name}${n % 3}`),
  ),
  ...ofHeader('different attributes', (n) => `Attribute ${n} name`),
  ...ofHeader('different names', (n) => `column ${n}`),
  ...ofText('the categories of a row', 20_000, ['a>', '>', 'a,', '"a",'], (text) =>
    readProductRow(recordOf(['cup', '1', text, '']), { ...SETTINGS, header: CATEGORY_HEADER }),
  ),
  reader({
    name: 'rows of one cell below columns of translations',
    most: 19_000,
    make: (size) =>
      readHeader(['slug', 'price', ...list(size, (n) => `name:aa-${n.toString(36).padStart(4, '0')}`)], null),
    read: (header) => list(1_000, (n) => readProductRow(recordOf([`cup-${n}`]), { ...SETTINGS, header })),
  }),
  reader({
    name: 'the variants of earlier batches of a dry run',
    most: 4_000,
    make: (size) =>
      list(size, (n) => ({
        key: `S${n}`,
        record: 'cup',
        line: n,
        details: { Size: `${'Value'.repeat(20)} ${n}` },
      })),
    read: (taken) =>
      addPlanned(
        { byId: new Map<string, KnownProduct>(), bySlug: new Map(), bySku: new Map(), slugs: new Map() },
        taken,
      ),
  }),
]
