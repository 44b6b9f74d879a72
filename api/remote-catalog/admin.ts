import { PRODUCT } from '#api/catalog/examples.ts'
import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { ProductErrors } from '#shared/catalog/errors.ts'
import { ProductView, viewProduct } from '#shared/catalog/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { browseCatalog } from '#shared/remote-catalog/browse-catalog.ts'
import { createRemoteLink as create } from '#shared/remote-catalog/create-remote-link.ts'
import { deleteRemoteLink as remove } from '#shared/remote-catalog/delete-remote-link.ts'
import { RemoteErrors } from '#shared/remote-catalog/errors.ts'
import { RemoteCatalogView } from '#shared/remote-catalog/item-view.ts'
import { importItem, readUnlinkedItem } from '#shared/remote-catalog/items/import-item.ts'
import { listRemoteLinks as list, REMOTE_LINKS } from '#shared/remote-catalog/list-remote-links.ts'
import { findRemoteLink } from '#shared/remote-catalog/remote-link.ts'
import { RemoteLinkView, viewRemoteLink } from '#shared/remote-catalog/remote-link-view.ts'
import { catalogExample, linkExample } from './examples.ts'
import { RemoteCatalogQuery, RemoteItemParams, RemoteLinkParams, RemoteLinkRequest } from './schemas.ts'

const readErrors = [RemoteErrors.notConfigured, RemoteErrors.rateLimited, RemoteErrors.unavailable]

const links = new Resource({
  path: '/admin/remote/links',
  audit: { resource: 'remote/links', create: 'postAdminRemoteLinks', delete: 'deleteAdminRemoteLinksId' },
  params: RemoteLinkParams,
  reads: staff('catalog:read'),
  writes: staff('catalog:write'),
  returns: RemoteLinkView,
  view: viewRemoteLink,
  example: linkExample,
})

export const browseRemoteCatalog = endpoint({
  method: 'get',
  path: '/admin/remote/catalog',
  access: staff('catalog:read'),
  summary: 'Browse the catalog of the linked external system',
  description:
    'Every call reads the external system; nothing is stored. A worker sends the request within the rate limit of ' +
    'the API key. Equal requests that wait at the same time are sent once. 429 with `Retry-After` when the request ' +
    'cannot be sent within 10 seconds, 502 when the external system fails.\n\n' +
    'Missing values of the external system are empty texts, as is `linked_product_id` of an item without a link.',
  // No transaction is open during the wait for the external system.
  transaction: 'manual',
  query: RemoteCatalogQuery,
  returns: [200, RemoteCatalogView],
  errors: readErrors,
  example: { data: catalogExample },
  async handle({ store, query }) {
    return browseCatalog(store.id, query)
  },
})

export const importRemoteItem = endpoint({
  method: 'post',
  path: '/admin/remote/catalog/:id/import',
  access: staff('catalog:write'),
  audit: { action: 'postAdminRemoteCatalogIdImport', resource: 'remote/catalog' },
  summary: 'Create a product from an item of the external catalog',
  description:
    "Reads the item and creates an unpublished product without stock, linked to the item, with the item's exact " +
    "price in the store's currency. The SKU is the item's SKU or code; the tax class is the only one with a rate of " +
    "the item's VAT percentage, if there is one. A linked item is refused, so a repeated call creates no second " +
    'product.',
  transaction: 'manual',
  params: RemoteItemParams,
  returns: [201, ProductView],
  errors: [
    ...readErrors,
    RemoteErrors.itemNotFound,
    RemoteErrors.itemLinked,
    RemoteErrors.itemNotImportable,
    ProductErrors.skuTaken,
  ],
  example: { data: { ...PRODUCT, is_active: false } },
  async handle({ store, params, request, unitOfWork }) {
    const item = await readUnlinkedItem(store.id, params.id)
    return unitOfWork.inStore(store.id, async (tx) =>
      reply(201, viewProduct(await importItem(tx, store, item), store, request.language)),
    )
  },
})

export const listRemoteLinks = links.list({
  summary: 'List the links between items of the external catalog and products',
  description:
    'Newest first. The link of a deleted product is not listed. It is listed again when the product is restored, ' +
    'unless the item has a new link.',
  query: listQuery(REMOTE_LINKS),
  handle: ({ tx, query }) => list(tx, query),
})

export const createRemoteLink = links.create({
  summary: 'Link an item of the external catalog to a product',
  description:
    'An item has at most one product and a product at most one item. The call does not check that the external ' +
    'system has the item.',
  body: RemoteLinkRequest,
  errors: [CommonErrors.notFound, RemoteErrors.itemLinked, RemoteErrors.productLinked],
  example: {
    body: { item_id: linkExample.item_id, product_id: linkExample.product_id },
  },
  handle: ({ tx, body }) => create(tx, toCamelCase(body)),
})

export const readRemoteLink = links.read({
  summary: 'Read a link',
  handle: ({ tx, params }) => findRemoteLink(tx, params.id),
})

export const deleteRemoteLink = links.delete({
  summary: 'Remove a link; item and product do not change',
  handle: ({ tx, params }) => remove(tx, params.id),
})
