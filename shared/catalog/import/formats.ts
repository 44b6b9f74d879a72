import {
  type CatalogColumn,
  COLUMNS,
  MAX_OPTIONS,
  optionColumn,
} from '#shared/catalog/import/own-format/columns.ts'
import { WOO_NAMES } from '#shared/catalog/import/woocommerce/woo-header.ts'
import { toEnglish } from '#shared/catalog/import/woocommerce/woo-translations.ts'
import type { KnownFormat } from '#shared/imports/file/match-header.ts'

const indexes = Array.from({ length: MAX_OPTIONS }, (_, index) => index)

const own: Record<string, CatalogColumn> = Object.fromEntries([
  ...COLUMNS.map((column) => [column, column]),
  ...indexes.flatMap((index) =>
    (['name', 'value'] as const).map((part) => [optionColumn(index, part), optionColumn(index, part)]),
  ),
])

const shopifyOptions = (spell: (part: 'name' | 'value') => string): Record<string, CatalogColumn> =>
  Object.fromEntries(
    indexes
      .slice(0, 3)
      .flatMap((index) =>
        (['name', 'value'] as const).map((part) => [
          `Option${index + 1} ${spell(part)}`,
          optionColumn(index, part),
        ]),
      ),
  )

/** Shopify's product export until 2024. Other shops export it too. */
const SHOPIFY: Record<string, CatalogColumn> = {
  Handle: 'slug',
  Title: 'name',
  'Body (HTML)': 'description',
  Vendor: 'manufacturer',
  Type: 'type',
  Tags: 'tags',
  Published: 'is_active',
  Status: 'status',
  ...shopifyOptions((part) => (part === 'name' ? 'Name' : 'Value')),
  'Variant SKU': 'sku',
  'Variant Grams': 'weight_grams',
  'Variant Inventory Tracker': 'inventory_tracker',
  'Variant Inventory Qty': 'stock_on_hand',
  'Variant Inventory Policy': 'inventory_policy',
  'Variant Price': 'price',
  'Variant Compare At Price': 'compare_at_price',
  'Variant Barcode': 'barcode',
  'Variant Image': 'variant_image_url',
  'Image Src': 'image_url',
  'Image Position': 'image_position',
  'Image Alt Text': 'image_alt',
  'SEO Title': 'seo_title',
  'SEO Description': 'seo_description',
}

/** Shopify's product template since 2024. */
const SHOPIFY_NEW: Record<string, CatalogColumn> = {
  'URL handle': 'slug',
  Title: 'name',
  Description: 'description',
  Vendor: 'manufacturer',
  Type: 'type',
  Tags: 'tags',
  'Published on online store': 'is_active',
  Status: 'status',
  ...shopifyOptions((part) => part),
  SKU: 'sku',
  'Weight value (grams)': 'weight_grams',
  'Inventory tracker': 'inventory_tracker',
  'Inventory quantity': 'stock_on_hand',
  'Continue selling when out of stock': 'inventory_policy',
  Price: 'price',
  'Compare-at price': 'compare_at_price',
  Barcode: 'barcode',
  'Variant image URL': 'variant_image_url',
  'Product image URL': 'image_url',
  'Image position': 'image_position',
  'Image alt text': 'image_alt',
  'SEO title': 'seo_title',
  'SEO description': 'seo_description',
}

const SHOPIFY_REQUIRED: CatalogColumn[] = ['slug', 'name', 'price']

export const FORMATS: KnownFormat<CatalogColumn>[] = [
  { format: 'own', title: 'the own format', names: own, required: ['slug'] },
  {
    format: 'shopify',
    title: "Shopify's product export",
    names: SHOPIFY,
    required: SHOPIFY_REQUIRED,
  },
  {
    format: 'shopify',
    title: "Shopify's new product export",
    names: SHOPIFY_NEW,
    required: SHOPIFY_REQUIRED,
  },
  {
    format: 'woocommerce',
    title: "WooCommerce's product export",
    names: WOO_NAMES,
    required: ['type', 'name', 'price'],
    translate: toEnglish,
  },
]

/** The columns of the own format by name. A mapping refers to these names. */
export const OWN_NAMES = own
