import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'

/** A store with a member of its staff who edits products. */
export async function buildCatalogStaff() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, token }
}

/** The events of the products of a store. */
export const productEventsOf = (store: { id: string }) =>
  inStore(store.id, (tx) =>
    tx.knex('events').whereLike('type', 'product.%').orderBy('id').select('type', 'data'),
  )

/** A product with two variants, as staff send it. */
export const TWO_VARIANT_PRODUCT = {
  name_i18n: { en: 'Walking Jacket', de: 'Wanderjacke' },
  price: 189.99,
  options: [
    { name: 'Size', values: ['S', 'M'] },
    { name: 'Colour', values: ['Navy'] },
  ],
  variants: [
    { sku: 'J-S', option_values: { Size: 'S', Colour: 'Navy' }, stock_on_hand: 3 },
    {
      sku: 'J-M',
      option_values: { Size: 'M', Colour: 'Navy' },
      price: 199,
      sale_price: 149.5,
      sale_starts_at: '2026-01-01T00:00:00.000Z',
      sale_ends_at: '2026-02-01T00:00:00.000Z',
      backorder: true,
      is_active: false,
    },
  ],
}
