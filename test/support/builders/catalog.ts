import type { NewProduct, NewVariant } from '#shared/catalog/new-product.ts'
import { createProduct } from '#shared/catalog/products/create-product.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { nextNumber } from '#test/support/builders/store.ts'

export interface BuiltProduct {
  id: string
  slug: string
  variants: { id: string; sku: string }[]
}

type GivenProduct = Partial<Omit<NewProduct, 'variants'>> & { variants?: Partial<NewVariant>[] }

/** A product. Default: published, 10.00, one variant with 100 units on hand. */
export async function buildProduct(store: { id: string }, given: GivenProduct = {}): Promise<BuiltProduct> {
  const visit = await findStoreById(store.id)
  if (!visit) throw new Error('buildProduct needs a built store')
  const number = nextNumber()
  const { variants = [{}], ...fields } = given
  const draft: NewProduct = {
    sku: null,
    nameI18n: { en: `Product ${number}` },
    descriptionI18n: {},
    seo: {},
    manufacturerId: null,
    taxClassId: null,
    stockStatusId: null,
    categoryIds: [],
    priceMinor: 1_000n,
    weightGrams: null,
    dimensions: null,
    options: [],
    images: [],
    attributes: [],
    priceRules: [],
    relatedIds: [],
    tags: [],
    isActive: true,
    ...fields,
    variants: variants.map(draftVariant),
  }
  const built = await inStore(store.id, (tx) => createProduct(tx, visit.store, draft))
  const { product } = built
  return { id: product.id, slug: product.slug, variants: built.variants.map(({ id, sku }) => ({ id, sku })) }
}

const draftVariant = (given: Partial<NewVariant>): NewVariant => ({
  sku: `SKU-${nextNumber()}`,
  optionValues: {},
  priceMinor: null,
  salePriceMinor: null,
  saleStartsAt: null,
  saleEndsAt: null,
  barcode: null,
  weightGrams: null,
  stockOnHand: 100,
  backorder: false,
  isActive: true,
  ...given,
})

/** A published category. */
export async function buildCategory(
  store: { id: string },
  given: {
    slug?: string
    name?: string
    nameI18n?: Record<string, string>
    parentId?: string
    position?: number
    isActive?: boolean
  } = {},
): Promise<{ id: string; slug: string }> {
  const number = nextNumber()
  const category = { id: newId(), slug: given.slug ?? `category-${number}` }
  await inStore(store.id, (tx) =>
    tx.knex('categories').insert({
      ...category,
      store_id: store.id,
      parent_id: given.parentId ?? null,
      name_i18n: JSON.stringify(given.nameI18n ?? { en: given.name ?? `Category ${number}` }),
      position: given.position ?? 0,
      is_active: given.isActive ?? true,
      created_at: now(),
      updated_at: now(),
    }),
  )
  return category
}

/** A manufacturer. */
export async function buildManufacturer(
  store: { id: string },
  name = `Manufacturer ${nextNumber()}`,
): Promise<{ id: string; name: string }> {
  const manufacturer = { id: newId(), name }
  await inStore(store.id, (tx) =>
    tx
      .knex('manufacturers')
      .insert({ ...manufacturer, store_id: store.id, created_at: now(), updated_at: now() }),
  )
  return manufacturer
}
