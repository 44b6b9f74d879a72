/** PostgreSQL's text search configurations by primary language subtag; other languages are indexed word for word. */
const CONFIGURATIONS: Record<string, string> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
}
const WORD_FOR_WORD = 'simple'

/** The text search configuration of a language (BCP 47): `de-AT` → `german`. */
export function searchConfiguration(language: string): string {
  const [primary = ''] = language.toLowerCase().split('-')
  return CONFIGURATIONS[primary] ?? WORD_FOR_WORD
}

/** The same rule in SQL, for a column or expression that holds the language. */
const configurationSql = (language: string) =>
  `(case split_part(lower(${language}), '-', 1) ${Object.entries(CONFIGURATIONS)
    .map(([tag, name]) => `when '${tag}' then '${name}'`)
    .join(' ')} else '${WORD_FOR_WORD}' end)::regconfig`

/** Letters without their accents (Ä → A, é → e): what is stored and what is asked are folded alike. */
const foldSql = (text: string) => `unaccent(${text})`

// A tsvector holds at most 1 MB; a description's first words find it as well as its last.
const LONGEST_DESCRIPTION = 10_000

/** SQL expressions of what a product is found by: columns, or bindings with their casts. Each is used once. */
interface SearchSources {
  /** jsonb, texts by language. */
  nameI18n: string
  /** text[]. */
  tags: string
  /** jsonb, texts by language. */
  descriptionI18n: string
}

/**
 * SQL of `products.search`: names before tags before descriptions, each text by the rules of its language. For an
 * insert of one row or a statement over many: `searchSql({ nameI18n: 'r.name_i18n', … })`, or with `?::jsonb` for the
 * name, `?::text[]` for the tags and `?::jsonb` for the description, bound in this order.
 */
export const searchSql = ({ nameI18n, tags, descriptionI18n }: SearchSources) => `(
  select coalesce(string_agg(words::text, ' '), '')::tsvector from (
    select setweight(to_tsvector(${configurationSql('key')}, ${foldSql('value')}), 'A') as words
    from jsonb_each_text(${nameI18n})
    union all
    select setweight(to_tsvector('simple', ${foldSql('tag')}), 'B') from unnest(${tags}) tag
    union all
    select setweight(to_tsvector(${configurationSql('key')}, ${foldSql(`left(value, ${LONGEST_DESCRIPTION})`)}), 'D')
    from jsonb_each_text(${descriptionI18n})
  ) texts)`

/** SQL of `products.search_name`, which misspelt and unfinished words are compared with: the names in all languages. */
export const searchNameSql = (nameI18n: string) =>
  `(select coalesce(string_agg(lower(${foldSql('value')}), ' '), '') from jsonb_each_text(${nameI18n}))`
