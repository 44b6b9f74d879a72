import { type Static, Type } from 'typebox'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { Shape, Timestamp } from '#shared/platform/http/schema.ts'
import type { Annotations } from './annotate.ts'
import type { RemoteItem, RemotePage } from './remote-item.ts'
import { isKnownUnit } from './units.ts'
import { readVat } from './vat.ts'

const asGiven = { description: 'As the external system writes it' }

/** The interface document, section 2. What the external system leaves empty is an empty text. */
const RemoteCatalogItemView = Shape({
  id: Type.String({ description: "The external system's own" }),
  name: Type.String(),
  type: Type.String(),
  is_active: Type.Boolean(),
  code: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  unit: Type.String(),
  price: Type.String(asGiven),
  vat_percent: Type.String(asGiven),
  category_id: Type.String({ description: "The external system's own" }),
  category_name: Type.String(),
  image_url: Type.String(),
  update_date: { ...Timestamp, description: 'The beginning of 1970 where it is not known' },
  linked: Type.Boolean({ description: 'A product of this store is linked to it' }),
  linked_product_id: Type.String({ description: 'That product; empty when there is none' }),
  vat_allowed: Type.Boolean({
    description:
      "Its VAT is the percent of one of the store's tax rates; in a store without any, a percent from 0 to 100",
  }),
  unit_known: Type.Boolean({
    description: 'Its unit is a common one, by sign, name or UN/ECE code (`pcs`, `kg`, `KGM`)',
  }),
})

export const RemoteCatalogView = Shape({
  items: Type.Array(RemoteCatalogItemView),
  page: Type.Integer(),
  page_size: Type.Integer(),
  total: Type.Integer({ description: 'Items in all pages' }),
})

const viewItem = (
  item: RemoteItem,
  { products, ratesPpm }: Annotations,
): Static<typeof RemoteCatalogItemView> => ({
  ...item,
  linked: Object.hasOwn(products, item.id),
  linked_product_id: Object.hasOwn(products, item.id) ? (products[item.id] ?? '') : '',
  vat_allowed: isAllowed(readVat(item.vat_percent), ratesPpm),
  unit_known: isKnownUnit(item.unit),
})

const isAllowed = (percentPpm: number | null, ratesPpm: number[]): boolean =>
  percentPpm !== null && (ratesPpm.length === 0 || ratesPpm.includes(percentPpm))

export const viewPage = (
  { items, total }: RemotePage,
  { page, page_size }: Paged,
  annotations: Annotations,
): Static<typeof RemoteCatalogView> => ({
  items: items.map((item) => viewItem(item, annotations)),
  page,
  page_size,
  total,
})
