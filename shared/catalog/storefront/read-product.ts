import { Type } from 'typebox'
import { ATTRIBUTES, ProductAttributeAssignmentView } from '#shared/catalog/attribute-view.ts'
import { runningRulesSql } from '#shared/catalog/prices/current-price.ts'
import { AT, type StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import {
  orEmptySql,
  primaryImageSql,
  publishedSql,
  textOrEmptySql,
  timestampSql,
} from '#shared/catalog/storefront-context/sql.ts'
import { DimensionsView, OptionView, ProductImageView } from '#shared/catalog/view.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Money, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { Breadcrumb, categoryPathSql } from './category-path.ts'
import {
  CONVERTED,
  ENTERED,
  FIRST_VALUE_AFTER_PRICES,
  type PriceSql,
  readPricesAtPlace,
} from './prices-at-place.ts'
import { offerSql, productCardFields, variantCardFields } from './product-card.ts'
import { recurringPlansField } from './recurring-plans.ts'

const Weight = Nullable(Type.Integer({ description: 'Grams' }))

const variantFields = (prices: PriceSql) =>
  jsonFields({
    ...variantCardFields(prices),
    sale_starts_at: [Nullable(Timestamp), timestampSql('v.sale_starts_at')],
    sale_ends_at: [Nullable(Timestamp), timestampSql('v.sale_ends_at')],
    barcode: [Type.String(), orEmptySql('v.barcode')],
    weight: [Weight, 'v.weight_grams'],
    stock_available: [Type.Integer(), 'v.available'],
    backorder: [Type.Boolean(), 'v.backorder'],
  })

/** Returns the fields of a related product `n` with the join of the prices. */
const relatedFields = ({ price, netPrice }: PriceSql) =>
  jsonFields({
    id: [Uuid, 'n.id'],
    slug: [Type.String(), 'n.slug'],
    name: [Type.String(), textOrEmptySql('n.name_i18n')],
    price: [Money, price('n.price_minor')],
    price_net: [Money, netPrice('n.price_minor')],
    image_url: [Type.String(), orEmptySql(primaryImageSql('n'))],
  })

/** Returns the fields of a quantity discount `d`: the lowest unit price of the running rules for a number of units. */
const discountFields = ({ price, netPrice }: PriceSql) =>
  jsonFields({
    min_quantity: [Type.Integer({ description: 'Units of one line' }), 'd.min_quantity'],
    price: [Money, price('d.price')],
    price_net: [Money, netPrice('d.price')],
  })

const quantityDiscountsSql = (prices: PriceSql) => `(
  select coalesce(json_agg(${jsonSql(discountFields(prices))} order by d.min_quantity), '[]')
  from (select r.min_quantity, min(r.price_minor) as price ${runningRulesSql('p', AT)} and r.min_quantity > 1
        group by r.min_quantity) d)`

const detailFields = (prices: PriceSql) =>
  jsonFields({
    ...productCardFields(prices),
    variants: [Type.Array(schemaOf(variantFields(prices))), 'offer.variants'],
    description: [Type.String(), textOrEmptySql('p.description_i18n')],
    seo: [
      Shape({ title: Type.String(), description: Type.String() }),
      `json_build_object('title', ${textOrEmptySql("p.seo -> 'title_i18n'")},
      'description', ${textOrEmptySql("p.seo -> 'description_i18n'")})`,
    ],
    manufacturer: [
      Nullable(Shape({ id: Uuid, name: Type.String() })),
      "case when m.id is not null then json_build_object('id', m.id, 'name', m.name) end",
    ],
    weight: [Weight, 'p.weight_grams'],
    dimensions: [Nullable(DimensionsView), 'p.dimensions'],
    options: [Type.Array(OptionView), 'p.options'],
    images: [Type.Array(ProductImageView), 'p.images'],
    attributes: [Type.Array(ProductAttributeAssignmentView, { description: 'Sorted by group' }), ATTRIBUTES],
    quantity_discounts: [
      Type.Array(schemaOf(discountFields(prices)), {
        description: 'The price of one unit when more are bought, unless another price is lower',
      }),
      quantityDiscountsSql(prices),
    ],
    recurring_plans: recurringPlansField(prices),
    breadcrumbs: [
      Type.Array(Breadcrumb, { description: 'From the root to the deepest of its categories' }),
      "coalesce(deepest.breadcrumbs, '[]')",
    ],
    related: [
      Type.Array(schemaOf(relatedFields(prices))),
      "coalesce(chosen.products, siblings.products, '[]')",
    ],
  })

/** A product on its own page of the storefront. */
export const ProductDetail = schemaOf(detailFields(ENTERED))

/** The deepest published category of product `p` with its path. The slug decides between equally deep ones. */
const DEEPEST_CATEGORY = `left join lateral (
  select path.category_id, path.breadcrumbs from product_categories pc
  cross join lateral (${categoryPathSql('pc.category_id')}) path
  where pc.store_id = p.store_id and pc.product_id = p.id
  order by path.depth desc, path.slug limit 1) deepest on true`

/** SQL join of the related products that staff chose for product `p`; null when none of them is published. */
const chosenSql = (prices: PriceSql) => `left join lateral (
  select json_agg(${jsonSql(relatedFields(prices))} order by r.position) as products
  from related_products r
  join products n on n.store_id = r.store_id and n.id = r.related_id and ${publishedSql('n')}
  ${prices.join('n')}
  where r.store_id = p.store_id and r.product_id = p.id) chosen on true`

const MAX_SIBLINGS = 8
// With 100,000 unpublished products in the category, the search for published ones took PostgreSQL a second.
const MAX_CANDIDATES = 1_000

// Ids increase with time, so the newest products are read from the end of the category's index.
const siblingsSql = (prices: PriceSql) => `left join lateral (
  select json_agg(${jsonSql(relatedFields(prices))} order by n.id desc) as products
  from (
    select other.* from (
      select pc.product_id from product_categories pc
      where pc.store_id = p.store_id and pc.category_id = deepest.category_id and pc.product_id <> p.id
        and chosen.products is null
      order by pc.product_id desc limit ${MAX_CANDIDATES}
    ) newest
    join products other on other.store_id = p.store_id and other.id = newest.product_id and ${publishedSql('other')}
    order by newest.product_id desc limit ${MAX_SIBLINGS}
  ) n
  ${prices.join('n')}) siblings on true`

const readProductAt = (prices: PriceSql): Statement => ({
  name: `read_product ${prices.name}`,
  text: `
    select ${jsonSql(detailFields(prices))}
    from products p
    ${prices.join('p')}
    ${offerSql(jsonSql(variantFields(prices)))}
    left join manufacturers m on m.store_id = p.store_id and m.id = p.manufacturer_id
    ${DEEPEST_CATEGORY}
    ${chosenSql(prices)}
    ${siblingsSql(prices)}
    where p.store_id = ${CURRENT_STORE} and p.slug = $${FIRST_VALUE_AFTER_PRICES}::text and ${publishedSql('p')}`,
})

const READ_PRODUCT = { entered: readProductAt(ENTERED), converted: readProductAt(CONVERTED) }

/** Returns a published product as JSON, by its slug. Throws `resource.not_found`. */
export async function readProduct(context: StorefrontContext, slug: string): Promise<string> {
  const { sql, values } = await readPricesAtPlace(context)
  const [row] = await readInStore(context.store.id, READ_PRODUCT[sql.name], [...values, slug])
  if (!row?.[0]) throw CommonErrors.notFound()
  return row[0]
}
