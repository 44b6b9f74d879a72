import { Type } from 'typebox'
import {
  appliedPriceSql,
  basePriceSql,
  priceRuleSql,
  runningSalePriceSql,
} from '#shared/catalog/prices/current-price.ts'
import { AT, IN_STOCK, ON_BACKORDER, OUT_OF_STOCK } from '#shared/catalog/storefront-context/context.ts'
import {
  orEmptySql,
  primaryImageSql,
  publishedSql,
  textOrEmptySql,
  textSql,
  timestampSql,
} from '#shared/catalog/storefront-context/sql.ts'
import { OptionValues } from '#shared/catalog/variant-view.ts'
import { availableSql } from '#shared/inventory/stock-level.ts'
import { jsonFields, schemaOf } from '#shared/platform/db/json-fields.ts'
import { Money, Nullable, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { ENTERED, NetPrice, type PriceSql } from './prices-at-place.ts'

const InStock = Type.Boolean({ description: 'Can be bought now, from stock or on backorder' })

/** Returns the fields of variant `v` of `offerSql`. */
export const variantCardFields = ({ price, netPrice }: PriceSql) =>
  jsonFields({
    id: [Uuid, 'v.id'],
    sku: [Type.String(), 'v.sku'],
    option_values: [OptionValues, 'v.option_values'],
    price: [Money, price('v.base')],
    price_net: [NetPrice, netPrice('v.base')],
    sale_price: [{ ...Nullable(Money), description: 'Null outside its window' }, price('v.sale')],
    current_price: [
      { ...Money, description: 'The current price of a unit: the lowest of price, sale and special price' },
      price('v.current'),
    ],
    current_price_net: [NetPrice, netPrice('v.current')],
    in_stock: [InStock, 'v.available > 0 or v.backorder'],
  })

/**
 * SQL of the lateral joins `special` and `offer`: the published variants of product `p` as JSON, with their lowest
 * prices and their stock.
 */
export const offerSql = (variantJson: string) => `
  cross join lateral (select ${priceRuleSql('p', '1', AT)} as price offset 0) special
  cross join lateral (
  select coalesce(json_agg(${variantJson} order by v.position), '[]') as variants,
    bool_or(v.available > 0) as stocked, bool_or(v.backorder) as backorder,
    min(v.current) as current, min(v.current) filter (where v.current < v.base) as reduced
  from (
    select pv.*, ${basePriceSql('pv', 'p')} as base, ${runningSalePriceSql('pv', AT)} as sale,
      ${appliedPriceSql('pv', 'p', AT, 'special.price')} as current,
      ${availableSql('pv')} as available
    from product_variants pv
    where pv.store_id = p.store_id and pv.product_id = p.id and ${publishedSql('pv')}
    offset 0
  ) v) offer`

const STOCK_STATUS_NAME = `case when offer.stocked then ${IN_STOCK} else coalesce(
    (select ${textSql('s.name_i18n')} from stock_statuses s where s.store_id = p.store_id and s.id = p.stock_status_id),
    case when offer.backorder then ${ON_BACKORDER} else ${OUT_OF_STOCK} end) end`

/** Returns the fields of product `p` with its `offer` and the join of `prices`. */
export const productCardFields = (prices: PriceSql) =>
  jsonFields({
    id: [Uuid, 'p.id'],
    slug: [Type.String(), 'p.slug'],
    sku: [Type.String(), orEmptySql('p.sku')],
    name: [Type.String(), textOrEmptySql('p.name_i18n')],
    price: [
      { ...Money, description: 'With tax where the prices of the store include it' },
      prices.price('p.price_minor'),
    ],
    price_net: [NetPrice, prices.netPrice('p.price_minor')],
    tax_rate: [
      Type.Number({ description: 'Percent of the net price, at the place of the request' }),
      prices.taxRate,
    ],
    special_price: [
      {
        ...Nullable(Money),
        description: 'The lowest price that a sale or special price gives one unit now; null without any',
      },
      prices.price('offer.reduced'),
    ],
    current_price: [
      { ...Money, description: 'The lowest price of one unit now' },
      prices.price('coalesce(offer.current, p.price_minor)'),
    ],
    current_price_net: [NetPrice, prices.netPrice('coalesce(offer.current, p.price_minor)')],
    in_stock: [InStock, 'coalesce(offer.stocked or offer.backorder, false)'],
    stock_status_name: [Type.String(), STOCK_STATUS_NAME],
    image_url: [Type.String(), orEmptySql(primaryImageSql('p'))],
    tags: [Type.Array(Type.String()), 'p.tags'],
    variants: [Type.Array(schemaOf(variantCardFields(prices))), 'offer.variants'],
    created_at: [Timestamp, timestampSql('p.created_at')],
  })

/** A product in a list of the storefront. */
export const ProductCard = schemaOf(productCardFields(ENTERED))
