import { basePriceSql, runningSalePriceSql } from './current-price.ts'

/** The store of the transaction, as row-level security sees it. */
export const STORE = `current_setting('app.store_id')::uuid`

/** The first values of a storefront statement; `Reader` makes them. */
const LANGUAGE = '$1::text'
const DEFAULT_LANGUAGE = '$2::text'
/** One minor unit in major units: 0.01. A product with it is exact. */
const UNIT = '$3::numeric'
const AT = '$4::timestamptz'
const IN_STOCK = '$5::text'
const OUT_OF_STOCK = '$6::text'
const ON_BACKORDER = '$7::text'
export const FIRST_OWN_VALUE = 8

/** SQL of a text in the caller's language, else the store's, else any; null when there is none. */
export const textSql = (texts: string, language = LANGUAGE, fallback = DEFAULT_LANGUAGE) =>
  `coalesce(${texts} ->> ${language}, ${texts} ->> ${fallback}, (select value from jsonb_each_text(${texts}) limit 1))`

export const majorSql = (minor: string) => `${minor} * ${UNIT}`

/** SQL of a moment as responses show it. */
export const timestampSql = (at: string) =>
  `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A row that every visitor may see, for the alias of a product or variant. */
export const publishedSql = (alias: string) => `${alias}.is_active and ${alias}.deleted_at is null`

const VARIANT_CARD = `'id', v.id, 'sku', v.sku, 'option_values', v.option_values,
  'price', ${majorSql('v.base')}, 'sale_price', ${majorSql('v.sale')}, 'in_stock', v.available > 0 or v.backorder`

const VARIANT_DETAIL = `${VARIANT_CARD}, 'sale_starts_at', ${timestampSql('v.sale_starts_at')},
  'sale_ends_at', ${timestampSql('v.sale_ends_at')}, 'barcode', v.barcode, 'weight', v.weight_grams,
  'stock_available', v.available, 'backorder', v.backorder`

/** A lateral join, aliased `offer`, of what product `p` is sold as: its published variants, stock and running sale. */
const offerSql = (variantFields: string) => `cross join lateral (
  select coalesce(json_agg(json_build_object(${variantFields}) order by v.position), '[]') as variants,
    bool_or(v.available > 0) as stocked, bool_or(v.backorder) as backorder, min(v.sale) as sale
  from (
    select pv.*, ${basePriceSql('pv', 'p')} as base, s.price as sale,
      pv.stock_on_hand - pv.stock_allocated - pv.stock_held as available
    from product_variants pv
    cross join lateral (select ${runningSalePriceSql('pv', AT)} as price) s
    where pv.store_id = p.store_id and pv.product_id = p.id and ${publishedSql('pv')}
  ) v) offer`

export const OFFER_CARD = offerSql(VARIANT_CARD)
export const OFFER_DETAIL = offerSql(VARIANT_DETAIL)

/** The fields of product `p` with its `offer`, as `json_build_object` takes them. */
export const PRODUCT_CARD = `'id', p.id, 'slug', p.slug, 'sku', p.sku, 'name', coalesce(${textSql('p.name_i18n')}, ''),
  'price', ${majorSql('p.price_minor')}, 'special_price', ${majorSql('offer.sale')},
  'in_stock', coalesce(offer.stocked or offer.backorder, false),
  'stock_status_name', case when offer.stocked then ${IN_STOCK} when offer.backorder then ${ON_BACKORDER} else ${OUT_OF_STOCK} end,
  'image_url', p.images -> 0 ->> 'url', 'tags', p.tags, 'variants', offer.variants,
  'created_at', ${timestampSql('p.created_at')}`
