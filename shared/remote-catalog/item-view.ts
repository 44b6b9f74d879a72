import { type Static, Type } from 'typebox'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'
import type { Annotations } from './annotate.ts'
import { isKnownUnit } from './is-known-unit.ts'
import { parseVat, type RemoteItem, type RemotePage } from './remote-item.ts'

const asGiven = { description: 'As the external system writes it' }

/** An item of the external catalog. A missing text is empty, a missing date is null. */
export const RemoteCatalogItemView = Shape({
  id: Type.String({ description: 'Id in the external system' }),
  name: Type.String(),
  type: Type.String(),
  is_active: Type.Boolean(),
  code: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  unit: Type.String(),
  price: Type.String(asGiven),
  vat_percent: Type.String(asGiven),
  category_id: Type.String({ description: 'Id in the external system' }),
  category_name: Type.String(),
  image_url: Type.String(),
  update_date: { ...Nullable(Timestamp), description: 'Null when unknown' },
  linked: Type.Boolean({ description: 'Whether a product of this store is linked to it' }),
  linked_product_id: Type.String({ description: 'The linked product; empty when there is none' }),
  vat_allowed: Type.Boolean({
    description:
      "Whether its VAT is one of the store's tax rates; without tax rates, whether it is a percentage from 0 to 100",
  }),
  unit_known: Type.Boolean({
    description: 'Whether its unit is a common sign, name or UN/ECE code (`pcs`, `kg`, `KGM`)',
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
  vat_allowed: isAllowed(parseVat(item.vat_percent), ratesPpm),
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
