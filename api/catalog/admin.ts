import { Type } from 'typebox'
import { createProduct as create } from '#shared/catalog/create-product.ts'
import { deleteProduct as remove } from '#shared/catalog/delete-product.ts'
import { duplicateProduct as duplicate } from '#shared/catalog/duplicate-product.ts'
import { ProductErrors } from '#shared/catalog/errors.ts'
import { findProducts } from '#shared/catalog/find-products.ts'
import { restoreProduct as restore } from '#shared/catalog/restore-product.ts'
import { updateProduct as update } from '#shared/catalog/update-product.ts'
import { ProductView, viewProduct, type WholeProduct } from '#shared/catalog/view.ts'
import { findProduct } from '#shared/catalog/whole-products.ts'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'
import { staff } from '../platform/access.ts'
import { endpoint, type RequestFacts } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { NEW_PRODUCT, PRODUCT } from './examples.ts'
import { AdminProductQuery } from './query-schemas.ts'
import { toAdminProductFilter, toPage } from './read-query.ts'
import { toProductChanges, toProductDraft } from './read-request.ts'
import { CreateProductRequest, ProductParams, UpdateProductRequest } from './schemas.ts'

const tagged = (status: number, whole: WholeProduct, store: Store, { language }: RequestFacts) =>
  reply(status, viewProduct(whole, store, language), { ETag: entityTag(whole.product) })

const CHANGE_ERRORS = [
  CommonErrors.notFound,
  CommonErrors.changed,
  ProductErrors.slugTaken,
  ProductErrors.skuTaken,
  ProductErrors.priceRuleNotPositive,
]

export const listAdminProducts = endpoint({
  method: 'get',
  path: '/admin/products',
  access: staff('catalog:read'),
  paginated: true,
  summary: 'List products, the unpublished among them',
  description:
    '`q` searches names, descriptions and tags, and finds a SKU. Deleted products are not listed, but with `deleted=true` ' +
    'they alone are.',
  query: AdminProductQuery,
  returns: [200, Type.Array(ProductView)],
  example: { data: [PRODUCT] },
  async handle({ tx, store, query, request: { language } }) {
    const { found, total } = await findProducts(tx, store, toAdminProductFilter(query), toPage(query))
    return page(
      found.map((whole) => viewProduct(whole, store, language)),
      total,
      query,
    )
  },
})

export const createProduct = endpoint({
  method: 'post',
  path: '/admin/products',
  access: staff('catalog:write'),
  summary: 'Create a product with its variants',
  description:
    'Everything is saved, or nothing. Without `slug` one is made of the name; without `variants` the product gets one.',
  body: CreateProductRequest,
  returns: [201, ProductView],
  errors: [ProductErrors.skuTaken, ProductErrors.slugTaken, ProductErrors.priceRuleNotPositive],
  example: { body: NEW_PRODUCT, data: PRODUCT },
  async handle({ tx, store, body, request }) {
    return tagged(201, await create(tx, store, toProductDraft(body, store.currency)), store, request)
  },
})

export const readAdminProduct = endpoint({
  method: 'get',
  path: '/admin/products/:product_id',
  access: staff('catalog:read'),
  summary: 'Read a product as staff see it',
  params: ProductParams,
  returns: [200, ProductView],
  errors: [CommonErrors.notFound],
  example: { data: PRODUCT },
  async handle({ tx, store, params, request }) {
    return tagged(200, await findProduct(tx, params.product_id), store, request)
  },
})

export const updateProduct = endpoint({
  method: 'patch',
  path: '/admin/products/:product_id',
  access: staff('catalog:write'),
  summary: 'Change, publish or unpublish a product',
  description:
    'What the body leaves out stays. Variants stay as they are; `options` may change as far as these still fit. ' +
    '`If-Match` with the ETag that was read refuses to overwrite what changed since.',
  params: ProductParams,
  body: UpdateProductRequest,
  returns: [200, ProductView],
  errors: CHANGE_ERRORS,
  example: { body: { is_active: false }, data: { ...PRODUCT, is_active: false } },
  async handle({ tx, store, params, body, request }) {
    const changes = toProductChanges(body, store.currency)
    const whole = await update(tx, store, params.product_id, changes, request.headers['if-match'])
    return tagged(200, whole, store, request)
  },
})

export const deleteProduct = endpoint({
  method: 'delete',
  path: '/admin/products/:product_id',
  access: staff('catalog:write'),
  summary: 'Delete a product',
  description:
    'It is unpublished and leaves every list; its data is kept, its slug and SKUs become free. `POST …/restore` brings ' +
    'it back. To take it out of the storefront alone, set `is_active` to false: it stays in the admin list.',
  params: ProductParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, store, params }) {
    await remove(tx, store, params.product_id)
    return null
  },
})

export const restoreProduct = endpoint({
  method: 'post',
  path: '/admin/products/:product_id/restore',
  access: staff('catalog:write'),
  summary: 'Restore a deleted product',
  description: 'It comes back as it was, but unpublished. `GET /admin/products?deleted=true` finds it.',
  params: ProductParams,
  returns: [200, ProductView],
  errors: [CommonErrors.notFound, ProductErrors.notDeleted, ProductErrors.slugTaken, ProductErrors.skuTaken],
  example: { data: { ...PRODUCT, is_active: false } },
  async handle({ tx, store, params, request }) {
    return tagged(200, await restore(tx, store, params.product_id), store, request)
  },
})

export const duplicateProduct = endpoint({
  method: 'post',
  path: '/admin/products/:product_id/duplicate',
  access: staff('catalog:write'),
  summary: 'Make a new product like another',
  description:
    'The copy is unpublished and without stock; it has a slug and SKUs of its own, and no barcodes, which name one thing.',
  params: ProductParams,
  returns: [201, ProductView],
  errors: [CommonErrors.notFound],
  example: { data: { ...PRODUCT, slug: 'keel-rain-jacket-0a4c0019', is_active: false } },
  async handle({ tx, store, params, request }) {
    return tagged(201, await duplicate(tx, store, params.product_id), store, request)
  },
})
