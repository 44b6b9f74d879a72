import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { findContentPage } from '#shared/content-pages/content-page.ts'
import { createContentPage as create } from '#shared/content-pages/create-content-page.ts'
import { deleteContentPage as remove } from '#shared/content-pages/delete-content-page.ts'
import { PageErrors } from '#shared/content-pages/errors.ts'
import { listContentPages as list } from '#shared/content-pages/list-content-pages.ts'
import { PublishedPage } from '#shared/content-pages/storefront/page-fields.ts'
import { previewContentPage as preview } from '#shared/content-pages/storefront/read-published-content-page.ts'
import { updateContentPage as update } from '#shared/content-pages/update-content-page.ts'
import {
  ContentPageView,
  ListedPageView,
  viewContentPage,
  viewListedContentPage,
} from '#shared/content-pages/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import {
  pageExample as example,
  listedPageExample,
  newPageExample,
  publishedPageExample,
} from './examples.ts'
import { toNewPage, toPageChanges } from './read-request.ts'
import { AdminPagesQuery, CreatePageRequest, PageParams, PreviewQuery, UpdatePageRequest } from './schemas.ts'

const pages = new Resource({
  path: '/admin/pages',
  audit: { resource: 'pages', delete: 'deleteAdminPagesPageId' },
  params: PageParams,
  reads: staff('content:read'),
  writes: staff('content:write'),
  returns: ContentPageView,
  view: viewContentPage,
  tag: entityTag,
  example,
})

export const listContentPages = endpoint({
  method: 'get',
  path: '/admin/pages',
  access: staff('content:read'),
  paginated: true,
  summary: 'List the information pages, unpublished ones included',
  description: 'Without their bodies.',
  query: AdminPagesQuery,
  returns: [200, Type.Array(ListedPageView)],
  example: { data: [listedPageExample] },
  async handle({ tx, query }) {
    return page(await list(tx, query), query, viewListedContentPage)
  },
})

export const createContentPage = endpoint({
  method: 'post',
  path: '/admin/pages',
  access: staff('content:write'),
  audit: { action: 'postAdminPages', resource: 'pages' },
  // The body is rendered before the transaction.
  transaction: 'manual',
  summary: 'Create an information page',
  description:
    'The bodies are Markdown; HTML in them is sanitized. Without a slug the page gets one of its title. Without ' +
    '`published_at` it is public immediately.',
  body: CreatePageRequest,
  returns: [201, ContentPageView],
  errors: [PageErrors.slugTaken, PageErrors.bodyTooComplex],
  example: { body: newPageExample, data: example },
  async handle({ body, unitOfWork, ...call }) {
    const input = await toNewPage(call.store.id, body)
    return unitOfWork.inStore(call.store.id, async (tx) =>
      pages.replyWith(201, await create(tx, call.store, input), call),
    )
  },
})

export const readContentPage = pages.read({
  summary: 'Read an information page',
  handle: ({ tx, params }) => findContentPage(tx, params.page_id),
})

export const previewContentPage = endpoint({
  method: 'get',
  path: '/admin/pages/:page_id/preview',
  access: staff('content:read'),
  summary: 'Preview an information page as storefronts show it, published or not',
  params: PageParams,
  query: PreviewQuery,
  returns: [200, PublishedPage],
  errors: [CommonErrors.notFound],
  example: { data: publishedPageExample },
  async handle({ tx, store, params, query, request }) {
    return preview(tx, { store, language: query.language ?? request.language }, params.page_id)
  },
})

export const updateContentPage = endpoint({
  method: 'patch',
  path: '/admin/pages/:page_id',
  access: staff('content:write'),
  audit: { action: 'patchAdminPagesPageId', resource: 'pages' },
  // The body is rendered before the transaction.
  transaction: 'manual',
  summary: 'Change, publish or unpublish an information page',
  description: 'Absent fields stay; `title_i18n`, `body_i18n` and `seo` are replaced.',
  params: PageParams,
  body: UpdatePageRequest,
  returns: [200, ContentPageView],
  errors: [CommonErrors.notFound, CommonErrors.changed, PageErrors.slugTaken, PageErrors.bodyTooComplex],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  async handle({ params, body, ifMatch, unitOfWork, ...call }) {
    const changes = await toPageChanges(call.store.id, body)
    return unitOfWork.inStore(call.store.id, async (tx) =>
      pages.replyWith(200, await update(tx, params.page_id, changes, ifMatch), call),
    )
  },
})

export const deleteContentPage = pages.delete({
  summary: 'Delete an information page',
  description: 'It cannot be undone. To hide a page and keep it, set `is_active`.',
  handle: ({ tx, params }) => remove(tx, params.page_id),
})
