import { availableSql } from '#shared/inventory/stock-level.ts'
import {
  appliedPriceSql,
  basePriceSql,
  ruledPriceSql,
  runningRulesSql,
  runningSalePriceSql,
} from '../prices/current-price.ts'
import { ATTRIBUTE_ORDER } from '../product-attribute.ts'

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

/** SQL: the relation of the products that every visitor may see, under an alias. */
export const publishedProductsSql = (alias: string) =>
  `(select * from products where ${publishedSql('products')}) ${alias}`

const VARIANT_CARD = `'id', v.id, 'sku', v.sku, 'option_values', v.option_values,
  'price', ${majorSql('v.base')}, 'sale_price', ${majorSql('v.sale')},
  'current_price', ${majorSql('v.current')}, 'in_stock', v.available > 0 or v.backorder`

const VARIANT_DETAIL = `${VARIANT_CARD}, 'sale_starts_at', ${timestampSql('v.sale_starts_at')},
  'sale_ends_at', ${timestampSql('v.sale_ends_at')}, 'barcode', v.barcode, 'weight', v.weight_grams,
  'stock_available', v.available, 'backorder', v.backorder`

/** Lateral joins, `special` and `offer`, of what product `p` is sold as: its published variants, what they cost, stock. */
const offerSql = (variantFields: string) => `
  cross join lateral (select ${ruledPriceSql('p', '1', AT)} as price) special
  cross join lateral (
  select coalesce(json_agg(json_build_object(${variantFields}) order by v.position), '[]') as variants,
    bool_or(v.available > 0) as stocked, bool_or(v.backorder) as backorder,
    min(v.current) as current, min(v.current) filter (where v.current < v.base) as reduced
  from (
    select pv.*, ${basePriceSql('pv', 'p')} as base, ${runningSalePriceSql('pv', AT)} as sale,
      ${appliedPriceSql('pv', 'p', AT, 'special.price')} as current,
      ${availableSql('pv')} as available
    from product_variants pv
    where pv.store_id = p.store_id and pv.product_id = p.id and ${publishedSql('pv')}
  ) v) offer`

/** SQL: the price of one unit of a product's cheapest published variant, else of the product, in minor units. */
export const lowestPriceSql = (product: string, at: string) => `coalesce((
  select min(${appliedPriceSql('v', product, at, 'special.price')})
  from product_variants v cross join (select ${ruledPriceSql(product, '1', at)} as price) special
  where v.store_id = ${product}.store_id and v.product_id = ${product}.id and ${publishedSql('v')}),
  ${product}.price_minor)`

export const OFFER_CARD = offerSql(VARIANT_CARD)
export const OFFER_DETAIL = offerSql(VARIANT_DETAIL)

/** The fields of product `p` with its `offer`, as `json_build_object` takes them. */
export const PRODUCT_CARD = `'id', p.id, 'slug', p.slug, 'sku', p.sku, 'name', coalesce(${textSql('p.name_i18n')}, ''),
  'price', ${majorSql('p.price_minor')}, 'special_price', ${majorSql('offer.reduced')},
  'current_price', ${majorSql('coalesce(offer.current, p.price_minor)')},
  'in_stock', coalesce(offer.stocked or offer.backorder, false),
  'stock_status_name', case when offer.stocked then ${IN_STOCK} else coalesce(
    (select ${textSql('s.name_i18n')} from stock_statuses s where s.store_id = p.store_id and s.id = p.stock_status_id),
    case when offer.backorder then ${ON_BACKORDER} else ${OUT_OF_STOCK} end) end,
  'image_url', p.images -> 0 ->> 'url', 'tags', p.tags, 'variants', offer.variants,
  'created_at', ${timestampSql('p.created_at')}`

/** The attributes of product `p`, as JSON. */
export const ATTRIBUTES = `(
  select coalesce(json_agg(json_build_object('id', pa.id, 'attribute_id', a.id, 'attribute_name', ${textSql('a.name_i18n')},
    'group_id', g.id, 'group_name', ${textSql('g.name_i18n')}, 'value', pa.value) order by ${ATTRIBUTE_ORDER}), '[]')
  from product_attributes pa
  join attributes a on a.store_id = pa.store_id and a.id = pa.attribute_id
  join attribute_groups g on g.store_id = a.store_id and g.id = a.group_id
  where pa.store_id = p.store_id and pa.product_id = p.id)`

/** What more units of product `p` cost apiece by the rules that run now, as JSON: the lowest price for each number. */
export const QUANTITY_DISCOUNTS = `(
  select coalesce(json_agg(json_build_object('min_quantity', d.min_quantity, 'price', ${majorSql('d.price')})
    order by d.min_quantity), '[]')
  from (select r.min_quantity, min(r.price_minor) as price ${runningRulesSql('p', AT)} and r.min_quantity > 1
        group by r.min_quantity) d)`
