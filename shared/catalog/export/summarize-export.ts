import type { Product } from '#shared/catalog/product.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import type { Store } from '#shared/stores/store.ts'

/** The facts about all products of an export that its first row needs. */
export interface ExportSummary {
  rows: number
  /** The largest number of options of a product. */
  maxOptions: number
  /** The languages of texts, at most 100. */
  languages: string[]
}

const VARIANT_COUNT = `(
  select count(*) from product_variants v where v.store_id = products.store_id and v.product_id = products.id
    and v.deleted_at is not distinct from products.deleted_at)`

const TEXTS = `name_i18n || description_i18n || coalesce(seo -> 'title_i18n', '{}')
  || coalesce(seo -> 'description_i18n', '{}')`

// Each product can have texts in 30 languages of its own. Columns for all of them would fill the memory.
const MAX_LANGUAGES = 100

interface Row {
  rows: string | null
  maxOptions: number | null
}

/**
 * Counts the rows of an export, and finds the columns that its products need. If the products have texts in more than
 * 100 languages, the store's languages come first.
 */
export async function summarizeExport(
  matching: QueryBuilderType<Product>,
  { languages }: Pick<Store, 'languages'>,
): Promise<ExportSummary> {
  const found = (await matching
    .clone()
    .joinRaw(`cross join lateral jsonb_object_keys(${TEXTS}) as texts (language)`)
    .groupBy('language')
    .orderByRaw('language <> all(?::text[]), language', [languages])
    .limit(MAX_LANGUAGES)
    .select('language')) as unknown as { language: string }[]
  const [counted] = (await matching.select(
    matching.knex().raw(`sum(greatest(1, ${VARIANT_COUNT}, jsonb_array_length(images))) as rows`),
    matching.knex().raw('max(jsonb_array_length(options)) as max_options'),
  )) as unknown as Row[]
  return {
    rows: Number(counted?.rows ?? 0),
    maxOptions: counted?.maxOptions ?? 0,
    languages: found.map(({ language }) => language).sort(),
  }
}
