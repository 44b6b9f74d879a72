import { type Static, Type } from 'typebox'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { I18nText, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { SeoTexts } from '#shared/platform/http/seo-texts.ts'
import { type ListedPage, POSITIONS, type WrittenPage } from './content-page.ts'
import { MAX_BODY } from './limits.ts'

export const MAX_TITLE = 200
export const PagePosition = Type.Enum([...POSITIONS], { description: 'Where storefronts link to the page' })
export const SortOrder = Type.Integer({ description: 'Pages are listed in this order, then by slug' })
export const PublishedAt = {
  ...Nullable(Timestamp),
  description: 'An active page is public from this time on; null: never',
}

const listed = {
  id: Uuid,
  slug: Type.String(),
  title_i18n: I18nText(MAX_TITLE),
  position: PagePosition,
  sort_order: SortOrder,
  is_active: Type.Boolean(),
  published_at: PublishedAt,
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** A page in the list of staff, without its body. */
export const ListedPageView = Shape(listed)

/** A page as staff see it. */
export const ContentPageView = Shape({
  ...listed,
  body_i18n: { ...I18nText(MAX_BODY), description: 'Markdown by language' },
  seo: SeoTexts,
})

export const viewListedContentPage = (page: ListedPage): Static<typeof ListedPageView> => ({
  id: page.id,
  slug: page.slug,
  title_i18n: page.titleI18n,
  position: page.position,
  sort_order: page.sortOrder,
  is_active: page.isActive,
  published_at: toTimestampOrNull(page.publishedAt),
  created_at: toTimestamp(page.createdAt),
  updated_at: toTimestamp(page.updatedAt),
})

export const viewContentPage = (page: WrittenPage): Static<typeof ContentPageView> => ({
  ...viewListedContentPage(page),
  body_i18n: page.bodyI18n,
  seo: page.seo,
})
