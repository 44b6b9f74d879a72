import type { Product } from '#shared/catalog/product.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'

/** The facts about all products of an export that its first row needs. */
export interface ExportSummary {
  rows: number
  /** The largest number of options of a product. */
  options: number
  /** The languages of texts. */
  languages: string[]
}

const VARIANTS = `(
  select count(*) from product_variants v where v.store_id = products.store_id and v.product_id = products.id
    and v.deleted_at is not distinct from products.deleted_at)`

const LANGUAGES = `array(
  select jsonb_object_keys(name_i18n || description_i18n || coalesce(seo -> 'title_i18n', '{}')
    || coalesce(seo -> 'description_i18n', '{}')))`

interface Row {
  rows: string | null
  options: number | null
  languages: string[][] | null
}

/** Counts the rows of an export, and finds the columns that its products need. */
export async function summarize(matching: QueryBuilderType<Product>): Promise<ExportSummary> {
  const [found] = (await matching.select(
    matching.knex().raw(`sum(greatest(1, ${VARIANTS}, jsonb_array_length(images))) as rows`),
    matching.knex().raw('max(jsonb_array_length(options)) as options'),
    matching.knex().raw(`jsonb_agg(distinct ${LANGUAGES}) as languages`),
  )) as unknown as Row[]
  return {
    rows: Number(found?.rows ?? 0),
    options: found?.options ?? 0,
    languages: [...new Set(found?.languages?.flat() ?? [])].sort(),
  }
}
