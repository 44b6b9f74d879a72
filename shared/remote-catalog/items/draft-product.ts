import { type NewProduct, VARIANT_DEFAULTS } from '#shared/catalog/new-product.ts'
import { CONTROL_CHARACTERS } from '#shared/platform/http/schema.ts'
import { isWebUrl, MAX_URL_LENGTH } from '#shared/platform/http/web-url.ts'
import { parseMinor } from '#shared/platform/money.ts'
import { RemoteErrors } from '#shared/remote-catalog/errors.ts'
import type { RemoteItem } from '#shared/remote-catalog/remote-item.ts'
import type { Store } from '#shared/stores/store.ts'

const MAX_NAME_LENGTH = 300
const MAX_CODE_LENGTH = 100
const MAX_QUOTE_LENGTH = 40

const UNSAFE = new RegExp(`[${CONTROL_CHARACTERS}]`, 'gu')

/**
 * Maps an item to a product: unpublished, without stock, with the item's exact price in the store's currency. Throws
 * `remote.item_not_importable` for an invalid price or a SKU that is too long.
 */
export function draftProduct(item: RemoteItem, { currency, defaultLanguage }: Store): NewProduct {
  const sku = lineOf(item.sku) || lineOf(item.code) || null
  const barcode = lineOf(item.barcode)
  const name = lineOf(item.name).slice(0, MAX_NAME_LENGTH).toWellFormed() || sku || item.id
  const priceMinor = parseMinor(item.price, currency)
  if (priceMinor === null || priceMinor < 0n)
    throw RemoteErrors.itemNotImportable({
      why: `its price "${lineOf(item.price).slice(0, MAX_QUOTE_LENGTH)}" is not an amount in ${currency}`,
    })
  if ((sku ?? '').length > MAX_CODE_LENGTH)
    throw RemoteErrors.itemNotImportable({ why: `its SKU is longer than ${MAX_CODE_LENGTH} characters` })
  return {
    sku,
    nameI18n: { [defaultLanguage]: name },
    descriptionI18n: {},
    seo: {},
    manufacturerId: null,
    taxClassId: null,
    stockStatusId: null,
    categoryIds: [],
    priceMinor,
    weightGrams: null,
    dimensions: null,
    options: [],
    images: isImage(item.image_url) ? [{ url: item.image_url, alt: name, variantSkus: [] }] : [],
    attributes: [],
    priceRules: [],
    relatedIds: [],
    tags: [],
    isActive: false,
    variants:
      sku && barcode.length <= MAX_CODE_LENGTH
        ? [{ ...VARIANT_DEFAULTS, sku, barcode: barcode || null }]
        : [],
  }
}

const lineOf = (text: string): string => text.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()

const isImage = (url: string): boolean => isWebUrl(url) && url.length <= MAX_URL_LENGTH
