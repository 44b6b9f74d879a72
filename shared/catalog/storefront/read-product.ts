import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { pathSql } from './category-sql.ts'
import { contextValues, type StorefrontContext } from './context.ts'
import {
  ATTRIBUTES,
  FIRST_OWN_VALUE,
  majorSql,
  OFFER_DETAIL,
  PRODUCT_CARD,
  publishedSql,
  QUANTITY_DISCOUNTS,
  textSql,
} from './sql.ts'

const RELATED = 8

/** The deepest published category of product `p`, by slug among equals, as the path that leads to it. */
const SHELF = `left join lateral (
  select path.shelf, path.crumbs from product_categories pc
  cross join lateral (${pathSql('pc.category_id')}) path
  where pc.store_id = p.store_id and pc.product_id = p.id
  order by path.depth desc, path.slug limit 1) place on true`

const NEIGHBOUR = `json_build_object('id', n.id, 'slug', n.slug, 'name', coalesce(${textSql('n.name_i18n')}, ''),
    'price', ${majorSql('n.price_minor')}, 'image_url', n.images -> 0 ->> 'url')`

/** What staff chose to show beside product `p`; null when nothing of it is published. */
const CHOSEN = `left join lateral (
  select json_agg(${NEIGHBOUR} order by r.position) as products
  from related_products r
  join products n on n.store_id = r.store_id and n.id = r.related_id and ${publishedSql('n')}
  where r.store_id = p.store_id and r.product_id = p.id) chosen on true`

// Ids rise with time, so the newest neighbours are read from the end of the category's index.
const NEIGHBOURS = `left join lateral (
  select json_agg(${NEIGHBOUR} order by n.id desc) as products
  from (
    select other.* from product_categories pc
    join products other on other.store_id = pc.store_id and other.id = pc.product_id and ${publishedSql('other')}
    where pc.store_id = p.store_id and pc.category_id = place.shelf and pc.product_id <> p.id
      and chosen.products is null
    order by pc.product_id desc limit ${RELATED}
  ) n) related on true`

const READ_PRODUCT = {
  name: 'read_product',
  text: `
    select json_build_object(${PRODUCT_CARD},
      'description', coalesce(${textSql('p.description_i18n')}, ''),
      'seo', json_build_object('title', ${textSql("p.seo -> 'title_i18n'")},
        'description', ${textSql("p.seo -> 'description_i18n'")}),
      'manufacturer', case when m.id is not null then json_build_object('id', m.id, 'name', m.name) end,
      'weight', p.weight_grams, 'dimensions', p.dimensions, 'options', p.options, 'images', p.images,
      'attributes', ${ATTRIBUTES}, 'quantity_discounts', ${QUANTITY_DISCOUNTS},
      'breadcrumbs', coalesce(place.crumbs, '[]'), 'related', coalesce(chosen.products, related.products, '[]'))
    from products p
    ${OFFER_DETAIL}
    left join manufacturers m on m.store_id = p.store_id and m.id = p.manufacturer_id
    ${SHELF}
    ${CHOSEN}
    ${NEIGHBOURS}
    where p.store_id = ${CURRENT_STORE} and p.slug = $${FIRST_OWN_VALUE}::text and ${publishedSql('p')}`,
}

/** A published product as JSON, by its slug. Throws `resource.not_found`. */
export async function readProduct(reader: StorefrontContext, slug: string): Promise<string> {
  const [row] = await readInStore(reader.store.id, READ_PRODUCT, [...contextValues(reader), slug])
  if (!row?.[0]) throw CommonErrors.notFound()
  return row[0]
}
