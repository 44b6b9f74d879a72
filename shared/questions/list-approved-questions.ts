import { publishedProductsSql } from '#shared/catalog/storefront-context/sql.ts'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PRODUCT_QUESTION_JSON } from './view.ts'

/**
 * The maximum of `page_size`. It is a literal in the statement, so that PostgreSQL keeps a generic plan (see
 * `productPageSql`).
 */
export const MAX_PAGE_SIZE = 50

const APPROVED = `q.store_id = ${CURRENT_STORE} and q.product_id = p.id and q.status = 'approved'`

const LIST_APPROVED = {
  name: 'list_approved_questions',
  text: `
    select coalesce(page.json, '[]'), count.total
    from ${publishedProductsSql('p')}
    cross join lateral (
      select json_agg(${PRODUCT_QUESTION_JSON} order by created_at desc, id desc) as json
      from (
        select * from (
          select * from product_questions q where ${APPROVED}
          order by q.created_at desc, q.id desc offset $3::bigint limit ${MAX_PAGE_SIZE}
        ) listed limit $2::bigint
      ) q) page
    cross join lateral (select count(*) as total from product_questions q where ${APPROVED}) count
    where p.slug = $1::text`,
}

/**
 * Returns one page of a published product's approved questions as JSON, the newest first, with their total number.
 * Throws `resource.not_found`.
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
