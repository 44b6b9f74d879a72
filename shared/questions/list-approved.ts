import { publishedProductsSql, timestampSql } from '#shared/catalog/storefront/sql.ts'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

// The limit that is a number stands there for the planner: see list-products.ts.
const LARGEST_PAGE = 50

const LIST_APPROVED = {
  name: 'list_approved_questions',
  text: `
    select coalesce(page.json, '[]'), count.total
    from ${publishedProductsSql('p')}
    cross join lateral (
      select json_agg(json_build_object('id', id, 'author_name', author_name, 'body', body,
        'answer_body', answer_body, 'answered_at', ${timestampSql('answered_at')},
        'created_at', ${timestampSql('created_at')}) order by created_at desc, id desc) as json
      from (
        select * from (
          select * from product_questions q
          where q.store_id = ${CURRENT_STORE} and q.product_id = p.id and q.status = 'approved'
          order by q.created_at desc, q.id desc offset $3::bigint limit ${LARGEST_PAGE}
        ) listed limit $2::bigint
      ) q) page
    cross join lateral (
      select count(*) as total from product_questions q
      where q.store_id = ${CURRENT_STORE} and q.product_id = p.id and q.status = 'approved') count
    where p.store_id = ${CURRENT_STORE} and p.slug = $1::text`,
}

/**
 * One page of a published product's approved questions as JSON, the newest first, and how many there are. Throws
 * `resource.not_found`.
 */
export async function listApprovedQuestions(
  storeId: string,
  slug: string,
  { page, page_size }: Paged,
): Promise<{ json: string; total: number }> {
  const values = [slug, `${page_size}`, `${(page - 1) * page_size}`]
  const [row] = await readInStore(storeId, LIST_APPROVED, values)
  if (!row?.[0]) throw CommonErrors.notFound()
  return { json: row[0], total: Number(row[1]) }
}
