import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildProduct } from './build-catalog.ts'

const LANGUAGES = 18

interface Size {
  count: number
  /** Of the description in each of 18 languages. */
  characters?: number
  variants?: number
}

/**
 * So many products in a store, each with a description of `18 × characters` and so many variants. Returns their ids.
 */
export async function buildLargeProducts(
  store: { id: string },
  { count, characters = 0, variants = 1 }: Size,
): Promise<string[]> {
  const model = await buildProduct(store)
  return inStore(store.id, async ({ knex }) => {
    const copy = async (
      table: string,
      key: string,
      from: string,
      changes: string,
      values: (string | number | string[])[],
    ) => {
      const { rows } = await knex.raw(
        `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
         where table_schema = 'public' and table_name = ? and is_generated = 'NEVER'`,
        [table],
      )
      const { columns } = rows[0]
      const copied = await knex.raw(
        `insert into ${table} (${columns}) select ${columns} from (
           select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${changes}))).*
           from ${table} t, ${from} where t.${key} = ?) copies returning id`,
        [...values, model.id],
      )
      return copied.rows.map(({ id }: { id: string }) => id)
    }
    const texts = `(select jsonb_object_agg('x' || chr(97 + l / 26) || chr(97 + l % 26), repeat('d', ?))
      from generate_series(1, ${LANGUAGES}) l)`
    const ids = await copy(
      'products',
      'id',
      `generate_series(1, ${count - 1}) n`,
      `'slug', 'large-' || n, 'sku', 'LARGE-' || n, 'description_i18n', ${texts}`,
      [characters],
    )
    await copy(
      'product_variants',
      'product_id',
      `unnest(?::uuid[]) p, generate_series(1, ${variants}) v`,
      `'product_id', p, 'position', v, 'sku', 'S' || v || '-' || p`,
      [ids],
    )
    return [model.id, ...ids]
  })
}
