import { Type } from 'typebox'
import { SlugParams } from '#api/catalog/schemas.ts'
import { storefront } from '#api/platform/auth/access.ts'
import { JsonText, Reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { listPublishedContentPages as list } from '#shared/content-pages/storefront/list-published-content-pages.ts'
import { PageLink, PublishedPage } from '#shared/content-pages/storefront/page-fields.ts'
import { readPublishedContentPage as read } from '#shared/content-pages/storefront/read-published-content-page.ts'
import { pageMeta } from '#shared/platform/db/list-query.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { pageLinkExample, publishedPageExample } from './examples.ts'
import { PublishedPagesQuery } from './schemas.ts'

export const listPublishedContentPages = endpoint({
  method: 'get',
  path: '/pages',
  access: storefront,
  cached: true,
  paginated: true,
  summary: 'List the published information pages',
  query: PublishedPagesQuery,
  returns: [200, Type.Array(PageLink)],
  example: { data: [pageLinkExample] },
  async handle({ store, query, request: { language } }) {
    const { json, total, nextAt } = await list({ store, language }, query)
    return new Reply(new JsonText(json), { meta: pageMeta(total, query), validUntil: nextAt })
  },
})

export const readPublishedContentPage = endpoint({
  method: 'get',
  path: '/pages/:slug',
  access: storefront,
  cached: true,
  summary: 'Read a published information page',
  params: SlugParams,
  returns: [200, PublishedPage],
  errors: [CommonErrors.notFound],
  example: { data: publishedPageExample },
  async handle({ store, params, request: { language } }) {
    return new JsonText(await read({ store, language }, params.slug))
  },
})
