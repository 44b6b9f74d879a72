import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { MAX_BODY } from '#shared/content-pages/limits.ts'
import { CONTENT_PAGES } from '#shared/content-pages/list-content-pages.ts'
import { MAX_TITLE, PagePosition, PublishedAt } from '#shared/content-pages/view.ts'
import { PageQuery } from '#shared/platform/http/query-parameters.ts'
import { Changes, I18nLine, I18nText, Language, Shape, Slug, Uuid } from '#shared/platform/http/schema.ts'
import { SeoTexts } from '#shared/platform/http/seo-texts.ts'

export const PageParams = Shape({ page_id: Uuid })

const optional = {
  slug: Type.Optional(Slug),
  seo: Type.Optional(SeoTexts),
  position: Type.Optional(PagePosition),
  sort_order: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  is_active: Type.Optional(Type.Boolean()),
  published_at: Type.Optional(PublishedAt),
}

const title_i18n = I18nLine(MAX_TITLE)
const body_i18n = {
  ...I18nText(MAX_BODY),
  description: 'Markdown by language: CommonMark with tables, strikethrough and HTML',
}

export const CreatePageRequest = Shape({ title_i18n, body_i18n: Type.Optional(body_i18n), ...optional })

export const UpdatePageRequest = Changes(CreatePageRequest.properties)

export const AdminPagesQuery = listQuery(CONTENT_PAGES)

export const PublishedPagesQuery = Shape({ ...PageQuery, position: Type.Optional(PagePosition) })

export const PreviewQuery = Shape({
  language: Type.Optional({ ...Language, description: 'BCP 47; default: by Accept-Language' }),
})
