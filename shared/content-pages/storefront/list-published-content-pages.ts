import { timestampSql } from '#shared/catalog/storefront-context/sql.ts'
import type { PagePosition } from '#shared/content-pages/content-page.ts'
import { jsonSql } from '#shared/platform/db/json-fields.ts'
import type { Paged } from '#shared/platform/db/list-query.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { linkFields } from './page-fields.ts'
import { ACTIVE, type PageContext, PUBLISHED, pageValues, SCHEDULED } from './published.ts'

const MATCHING = `${ACTIVE} and ($4::text = '' or p.position = $4::text)`
const ORDER = 'p.sort_order, p.slug'

const LIST_PAGES = {
  name: 'list_content_pages',
  text: `
    select coalesce(listed.json, '[]'), counted.total, counted.next_at
    from (
      select count(*) filter (where ${PUBLISHED}) as total,
        ${timestampSql(`min(p.published_at) filter (where ${SCHEDULED})`)} as next_at
      from content_pages p where ${MATCHING}) counted
    cross join lateral (
      select json_agg(${jsonSql(linkFields)} order by ${ORDER}) as json
      from (
        select * from content_pages p where ${MATCHING} and ${PUBLISHED}
        order by ${ORDER} offset $5::bigint limit $6::bigint) p) listed`,
}

interface PublishedPages {
  json: string
  total: number
  /** The time at which the next page becomes public. The list changes then without a write. */
  nextAt: Date | null
}

/** Returns one page of the published pages as JSON, at one position or at any, and their number. */
export async function listPublishedContentPages(
  context: PageContext,
  { position = '', page, page_size }: Paged & { position?: PagePosition | '' },
): Promise<PublishedPages> {
  const window = [String((page - 1) * page_size), String(page_size)]
  const [row] = await readInStore(context.store.id, LIST_PAGES, [...pageValues(context), position, ...window])
  const [json, total, nextAt] = row ?? []
  return { json: json ?? '[]', total: Number(total), nextAt: nextAt ? new Date(nextAt) : null }
}
