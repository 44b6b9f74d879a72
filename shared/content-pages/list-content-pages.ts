import { Type } from 'typebox'
import { type FilterOf, inAnyLanguage, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ContentPage, LISTED_COLUMNS, type ListedPage } from './content-page.ts'
import { PagePosition } from './view.ts'

export const CONTENT_PAGES = new List({
  sorts: {
    sort_order: ['sort_order', 'slug'],
    slug: 'slug',
    published_at: 'published_at',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  order: 'sort_order',
  searches: 'Part of a title or of the slug',
  text: [inAnyLanguage('title_i18n'), 'slug'],
  filters: {
    position: Type.Optional(PagePosition),
    is_active: Type.Optional(Type.Boolean()),
  },
})

export type PageFilter = FilterOf<typeof CONTENT_PAGES>

/** Returns one page of the matching pages, unpublished ones included and without their bodies, and their number. */
export async function listContentPages(
  tx: StoreTx,
  { position, is_active, ...filter }: PageFilter,
): Promise<Page<ListedPage>> {
  const query = ContentPage.in(tx).select(LISTED_COLUMNS)
  if (position) query.where('position', position)
  if (is_active !== undefined) query.where('is_active', is_active)
  return CONTENT_PAGES.page(query, filter)
}
