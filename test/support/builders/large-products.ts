import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'

const LANGUAGES = 18

interface Size {
  count: number
  /** Of the description in each of 18 languages. */
  characters?: number
  variants?: number
}

/**
 * Builds `count` products in a store, each with a description of `18 × characters` and `variants` variants. Returns
 * their ids.
 */
export async function buildLargeProducts(
  store: { id: string },
  { count, characters = 0, variants = 1 }: Size,
): Promise<string[]> {
  const model = await buildProduct(store)
  return inStore(store.id, async ({ knex }) => {
    const texts = `(select jsonb_object_agg('x' || chr(97 + l / 26) || chr(97 + l % 26), repeat('d', ?))
      from generate_series(1, ${LANGUAGES}) l)`
    const ids = await copyRows(knex, {
      table: 'products',
      of: { id: model.id },
      from: `generate_series(1, ${count - 1}) n`,
      changes: `'slug', 'large-' || n, 'sku', 'LARGE-' || n, 'description_i18n', ${texts}`,
      values: [characters],
    })
    await copyRows(knex, {
      table: 'product_variants',
      of: { product_id: model.id },
      from: `unnest(?::uuid[]) p, generate_series(1, ${variants}) v`,
      changes: `'product_id', p, 'position', v, 'sku', 'S' || v || '-' || p`,
      values: [ids],
    })
    return [model.id, ...ids]
  })
}
