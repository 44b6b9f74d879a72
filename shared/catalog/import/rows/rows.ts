import { VARIANT_DEFAULTS } from '#shared/catalog/new-product.ts'
import type { Product } from '#shared/catalog/product.ts'
import type { ProductVariant } from '#shared/catalog/variant.ts'
import type { StockLevels } from '#shared/inventory/stock-level.ts'
import { newId } from '#shared/platform/db/id.ts'
import { toColumnName } from '#shared/platform/db/model.ts'

/** Columns of `products` that an import reads and writes, with their types. */
export const PRODUCT_TYPES = {
  id: 'uuid',
  slug: 'text',
  sku: 'text',
  nameI18n: 'jsonb',
  descriptionI18n: 'jsonb',
  seo: 'jsonb',
  manufacturerId: 'uuid',
  taxClassId: 'uuid',
  stockStatusId: 'uuid',
  priceMinor: 'bigint',
  currentPriceMinor: 'bigint',
  weightGrams: 'integer',
  dimensions: 'jsonb',
  options: 'jsonb',
  images: 'jsonb',
  tags: 'text[]',
  isActive: 'boolean',
  metadata: 'jsonb',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  deletedAt: 'timestamptz',
} as const

/** Columns of `product_variants` that an import writes, with their types. */
export const VARIANT_TYPES = {
  id: 'uuid',
  productId: 'uuid',
  sku: 'text',
  position: 'integer',
  optionValues: 'jsonb',
  priceMinor: 'bigint',
  salePriceMinor: 'bigint',
  saleStartsAt: 'timestamptz',
  saleEndsAt: 'timestamptz',
  barcode: 'text',
  weightGrams: 'integer',
  backorder: 'boolean',
  isActive: 'boolean',
  metadata: 'jsonb',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  deletedAt: 'timestamptz',
} as const

export type ProductRow = Pick<Product, keyof typeof PRODUCT_TYPES>
/** A variant's row. An import reads its stock; only inventory writes it. */
export type VariantRow = Pick<ProductVariant, keyof typeof VARIANT_TYPES | keyof StockLevels>

const columns = new Map<string, string>()

/** Returns the column of a row's field: `nameI18n` → `name_i18n`. */
export function columnOf(field: string): string {
  const known = columns.get(field)
  if (known !== undefined) return known
  const column = toColumnName(field)
  columns.set(field, column)
  return column
}

export const PRODUCT_COLUMNS = Object.keys(PRODUCT_TYPES).map(columnOf)
export const VARIANT_COLUMNS = [
  ...Object.keys(VARIANT_TYPES).map(columnOf),
  'stock_on_hand',
  'stock_allocated',
  'stock_held',
]

/** Returns a new product with only a slug. */
export function newProduct(slug: string, at: Date): ProductRow {
  return {
    id: newId(),
    slug,
    sku: null,
    nameI18n: {},
    descriptionI18n: {},
    seo: {},
    manufacturerId: null,
    taxClassId: null,
    stockStatusId: null,
    priceMinor: 0n,
    currentPriceMinor: 0n,
    weightGrams: null,
    dimensions: null,
    options: [],
    images: [],
    tags: [],
    isActive: true,
    metadata: {},
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
}

/** Returns a new variant with only a SKU and a position. */
export function newVariant(
  productId: string,
  { sku, position, at }: { sku: string; position: number; at: Date },
): VariantRow {
  return {
    ...VARIANT_DEFAULTS,
    id: newId(),
    productId,
    sku,
    position,
    stockAllocated: 0,
    stockHeld: 0,
    metadata: {},
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
}
