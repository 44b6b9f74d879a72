import type { NewProduct } from '#shared/catalog/new-product.ts'
import { createProduct } from '#shared/catalog/products/create-product.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { createStore, type NewStore } from '#shared/stores/lifecycle/create-store.ts'
import { issuePublishableKey } from '#shared/stores/publishable-keys/issue-publishable-key.ts'
import type { Store } from '#shared/stores/store.ts'

const BATCH = 100
const SIZES = ['Small', 'Medium', 'Large']

/** A store with this many products of three variants each. Reports its progress. */
export async function fillStore(
  products: number,
  say: (done: number) => void,
): Promise<{ store: Store; key: string }> {
  const slug = 'bench'
  const newStore: NewStore = {
    slug,
    name: 'Bench',
    email: 'bench@example.com',
    currency: 'EUR',
    languages: ['en', 'de'],
    timeZone: 'Europe/Berlin',
  }
  const { id } = await inStore(newId(), (tx) => createStore(tx, newStore))
  const { key } = await inStore(id, (tx) => issuePublishableKey(tx, null, { mode: 'test' }))
  const visit = await findStoreById(id)
  if (!visit) throw new Error('The store was not created')
  for (let from = 0; from < products; from += BATCH) {
    await inStore(id, async (tx) => {
      for (let i = from; i < Math.min(from + BATCH, products); i++)
        await createProduct(tx, visit.store, draft(i))
    })
    say(Math.min(from + BATCH, products))
  }
  await inStore(id, askAbout)
  return { store: visit.store, key }
}

/** Gives every product twelve approved questions, every other one answered. */
const askAbout = (tx: StoreTx) =>
  tx.knex.raw(
    `insert into product_questions (store_id, id, product_id, author_name, author_email, language, body, status,
       answer_body, answered_at, created_at, updated_at)
     select store_id, gen_random_uuid(), id, 'Ada', 'ada@example.com', 'en', 'Does it go over an open fire?', 'approved',
       case when n % 2 = 0 then 'It does, without the lid.' end, case when n % 2 = 0 then at end, at, at
     from products cross join generate_series(1, 12) n
     cross join lateral (select created_at + n * interval '1 hour' as at) asked`,
  )

const draft = (i: number): NewProduct => ({
  slug: `product-${i}`,
  sku: null,
  nameI18n: { en: `Enamel mug no. ${i}`, de: `Emaillebecher Nr. ${i}` },
  descriptionI18n: {
    en: '<p>Fired twice, dented never. Holds a good measure of tea and hangs from any hook.</p>',
  },
  seo: {},
  manufacturerId: null,
  taxClassId: null,
  stockStatusId: null,
  categoryIds: [],
  priceMinor: BigInt(1_000 + (i % 90) * 100),
  weightGrams: 250,
  dimensions: null,
  options: [{ name: 'Size', values: SIZES }],
  images: [1, 2].map((position) => ({
    url: `https://images.example/${i}/${position}.jpg`,
    alt: `Enamel mug no. ${i}`,
    variantSkus: [],
  })),
  attributes: [],
  priceRules: [],
  relatedIds: [],
  tags: ['enamel', `series-${i % 20}`],
  isActive: true,
  variants: SIZES.map((size) => ({
    sku: `MUG-${i}-${size.toUpperCase()}`,
    optionValues: { Size: size },
    priceMinor: null,
    salePriceMinor: i % 5 === 0 ? 900n : null,
    saleStartsAt: null,
    saleEndsAt: null,
    barcode: null,
    weightGrams: null,
    stockOnHand: 1_000_000,
    backorder: false,
    isActive: true,
  })),
})
