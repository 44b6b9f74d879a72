import { Type } from 'typebox'
import { textOrEmptySql, timestampSql } from '#shared/catalog/storefront-context/sql.ts'
import { PagePosition, SortOrder } from '#shared/content-pages/view.ts'
import { jsonFields, schemaOf } from '#shared/platform/db/json-fields.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

/** The fields of page `p` in a list. */
export const linkFields = jsonFields({
  id: [Uuid, 'p.id'],
  slug: [Type.String(), 'p.slug'],
  title: [Type.String(), textOrEmptySql('p.title_i18n')],
  position: [PagePosition, 'p.position'],
  sort_order: [SortOrder, 'p.sort_order'],
  published_at: [Nullable(Timestamp), timestampSql('p.published_at')],
  updated_at: [Timestamp, timestampSql('p.updated_at')],
})

/** A page in a storefront's list, with the data for a link. */
export const PageLink = schemaOf(linkFields)

export const pageFields = jsonFields({
  ...linkFields,
  body_markdown: [Type.String(), textOrEmptySql('p.body_i18n')],
  body_html: [
    Type.String({ description: 'Sanitized: without scripts, styles, forms, frames, event handlers and ids' }),
    textOrEmptySql('p.html_i18n'),
  ],
  seo: [
    Shape({ title: Type.String(), description: Type.String() }),
    `json_build_object('title', ${textOrEmptySql("p.seo -> 'title_i18n'")},
      'description', ${textOrEmptySql("p.seo -> 'description_i18n'")})`,
  ],
  created_at: [Timestamp, timestampSql('p.created_at')],
})

/** A page as storefronts see it, in one language. */
export const PublishedPage = schemaOf(pageFields)
