import type { NewProduct } from '#shared/catalog/new-product.ts'
import { parseMinor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import { RemoteErrors } from './errors.ts'
import type { RemoteItem } from './remote-item.ts'

const LONGEST_NAME = 300
const LONGEST_CODE = 100
const LONGEST_URL = 2_000
const LONGEST_QUOTE = 40

// Controls, and marks that turn the direction of what is shown.
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * The product that an item becomes: unpublished, without stock, its price exactly as the text says in the store's
 * currency. Throws `remote.item_not_importable` for an item that says no such price, or has too long a SKU.
 */
export function draftProduct(item: RemoteItem, { currency, defaultLanguage }: Store): NewProduct {
  const sku = lineOf(item.sku) || lineOf(item.code) || null
  const barcode = lineOf(item.barcode)
  const name = lineOf(item.name).slice(0, LONGEST_NAME).toWellFormed() || sku || item.id
  const priceMinor = parseMinor(item.price, currency)
  if (priceMinor === null || priceMinor < 0n)
    throw RemoteErrors.itemNotImportable({
      why: `its price "${lineOf(item.price).slice(0, LONGEST_QUOTE)}" is no amount in ${currency}`,
    })
  if ((sku ?? '').length > LONGEST_CODE)
    throw RemoteErrors.itemNotImportable({ why: `its SKU is longer than ${LONGEST_CODE} characters` })
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
    variants: sku && barcode.length <= LONGEST_CODE ? [{ ...VARIANT, sku, barcode: barcode || null }] : [],
  }
}

const VARIANT = {
  optionValues: {},
  priceMinor: null,
  salePriceMinor: null,
  saleStartsAt: null,
  saleEndsAt: null,
  weightGrams: null,
  stockOnHand: 0,
  backorder: false,
  isActive: true,
}

const lineOf = (text: string): string => text.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()

const isImage = (url: string): boolean =>
  /^https?:\/\/\S+$/.test(url) && lineOf(url) === url && url.length <= LONGEST_URL && URL.canParse(url)
