import { isDeepStrictEqual } from 'node:util'
import { emitProduct } from '#shared/catalog/emit-product.ts'
import { toConflict } from '#shared/catalog/errors.ts'
import { productUpdated } from '#shared/catalog/events.ts'
import {
  assertRuleGroups,
  checkPriceRules,
  type PriceRule,
  replacePriceRules,
} from '#shared/catalog/price-rule.ts'
import { repriceProducts } from '#shared/catalog/prices/reprice-products.ts'
import { lockProduct, Product, type WholeProduct } from '#shared/catalog/product.ts'
import {
  type AttributeValue,
  assignAttributes,
  replaceAttributes,
} from '#shared/catalog/product-attribute.ts'
import { replaceProductCategories } from '#shared/catalog/product-category.ts'
import { arrangeImages, type ImageInput } from '#shared/catalog/product-image.ts'
import { checkRelated, replaceRelated } from '#shared/catalog/related-product.ts'
import { indexWords } from '#shared/catalog/search/product-words.ts'
import { searchColumns } from '#shared/catalog/search/search-text.ts'
import { optionFaults, variantFaults } from '#shared/catalog/variants/check-variants.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { uniqueIds } from '#shared/platform/db/id.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { invalid, ValidationError } from '#shared/platform/validation.ts'
import type { Store } from '#shared/stores/store.ts'
import { checkReferences } from './check-references.ts'

type Field =
  | 'slug'
  | 'sku'
  | 'nameI18n'
  | 'descriptionI18n'
  | 'seo'
  | 'manufacturerId'
  | 'taxClassId'
  | 'stockStatusId'
  | 'priceMinor'
  | 'weightGrams'
  | 'dimensions'
  | 'options'
  | 'tags'
  | 'isActive'

/** The changes of a product; absent fields keep their values. */
export interface ProductChanges extends Partial<Pick<Product, Field>> {
  categoryIds?: string[]
  /** The images in display sequence. */
  images?: ImageInput[]
  attributes?: AttributeValue[]
  priceRules?: PriceRule[]
  relatedIds?: string[]
  metadata?: MetadataChange
}

/**
 * Updates the given fields of a product; its variants do not change. Without a difference nothing is written and no
 * event is emitted. Throws `resource.not_found`, `resource.changed` when `ifMatch` names an earlier state,
 * `product.slug_taken`, `product.sku_taken`, `product.price_rule_not_positive`, and 422 for an invalid combination.
 */
export async function updateProduct(
  tx: StoreTx,
  store: Store,
  productId: string,
  changes: ProductChanges,
  ifMatch?: string,
): Promise<WholeProduct> {
  const before = await lockProduct(tx, productId)
  assertUnchanged(before.product, ifMatch)
  await checkChanges(tx, changes, before)
  const whole = await applyChanges(tx, changes, before)
  if (isDeepStrictEqual(whole, before)) return before

  whole.product.updatedAt = nextUpdatedAt(before.product)
  await saveProduct(tx, whole, changes)
  bumpCatalogVersion(tx)
  await emitProduct(tx, productUpdated, store, whole)
  return whole
}

async function checkChanges(tx: StoreTx, changes: ProductChanges, before: WholeProduct): Promise<void> {
  if (changes.options) checkOptions(changes.options, before)
  if (changes.priceRules) checkPriceRules(changes.priceRules)
  if (changes.priceRules) await assertRuleGroups(tx, changes.priceRules)
  if (changes.relatedIds) await checkRelated(tx, changes.relatedIds, before.product.id)
  await checkReferences(tx, changes)
}

/** Returns the product with the changes, without saving it. */
async function applyChanges(
  tx: StoreTx,
  changes: ProductChanges,
  before: WholeProduct,
): Promise<WholeProduct> {
  const { categoryIds, images, attributes, priceRules, relatedIds, metadata, ...fields } = changes
  const product = Object.assign(new Product(), before.product, fields, {
    ...(fields.tags ? { tags: [...new Set(fields.tags)] } : {}),
    metadata: mergeMetadata(before.product.metadata, metadata),
    ...(images ? { images: arrangeImages(images, before.product.images, before.variants) } : {}),
  })
  return {
    ...before,
    product,
    categoryIds: categoryIds ? uniqueIds(categoryIds).sort() : before.categoryIds,
    attributes: attributes ? await assignAttributes(tx, attributes, before.attributes) : before.attributes,
    priceRules: priceRules ?? before.priceRules,
    relatedIds: relatedIds ? uniqueIds(relatedIds) : before.relatedIds,
  }
}

/** Saves the changed fields and parts of a product. */
async function saveProduct(tx: StoreTx, whole: WholeProduct, changes: ProductChanges): Promise<void> {
  const { product, categoryIds, attributes, priceRules, relatedIds } = whole
  await saveFields(tx, product, changes)
  if (hasTexts(changes)) indexWords(tx, [product.id])
  if (changes.categoryIds) await replaceProductCategories(tx, product.id, categoryIds)
  if (changes.attributes) await replaceAttributes(tx, product.id, attributes)
  if (changes.priceRules) await replacePriceRules(tx, product.id, priceRules)
  if (changes.relatedIds) await replaceRelated(tx, product.id, relatedIds)
  if (changes.priceMinor !== undefined || changes.priceRules) await repriceProducts(tx, [product.id])
}

async function saveFields(tx: StoreTx, product: Product, changes: ProductChanges): Promise<void> {
  // Write only the changed columns: `repriceProducts` writes the current price of the same row.
  const names = Object.keys(changes).filter((name) => name in product)
  const { updatedAt } = product
  const fields = Object.assign(new Product(), pick(product, names), { updatedAt })
  await tx
    .knex('products')
    .where({ store_id: tx.storeId, id: product.id })
    .update({ ...fields.$toDatabaseJson(), ...(hasTexts(changes) ? searchColumns(tx, product) : {}) })
    .catch((error) => {
      throw toConflict(error, product)
    })
}

/** Whether a change concerns searched texts. */
const hasTexts = ({ nameI18n, tags, descriptionI18n }: ProductChanges): boolean =>
  Boolean(nameI18n ?? tags ?? descriptionI18n)

const pick = (product: Product, names: string[]): object =>
  Object.fromEntries(names.map((name) => [name, product[name as keyof Product]]))

function checkOptions(options: Product['options'], { variants }: WholeProduct): void {
  const faults = optionFaults(options)
  if (faults.length) throw new ValidationError(faults)
  const [mismatch] = variantFaults(options, variants)
  if (mismatch) throw invalid(['options'], 'The existing variants of the product do not match these options')
}
