import { staff } from '#api/platform/auth/access.ts'
import { refuseSupportFields } from '#api/platform/auth/assert-not-support.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { ProductErrors } from '#shared/catalog/errors.ts'
import { findProduct } from '#shared/catalog/product.ts'
import { createProduct as create } from '#shared/catalog/products/create-product.ts'
import { deleteProduct as remove } from '#shared/catalog/products/delete-product.ts'
import { duplicateProduct as duplicate } from '#shared/catalog/products/duplicate-product.ts'
import { restoreProduct as restore } from '#shared/catalog/products/restore-product.ts'
import { updateProduct as update } from '#shared/catalog/products/update-product.ts'
import { listAdminProducts as list } from '#shared/catalog/search/list-admin-products.ts'
import { ProductView, viewProduct } from '#shared/catalog/view.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { NEW_PRODUCT, PRODUCT } from './examples.ts'
import { toNewProduct, toProductChanges } from './product-input.ts'
import { AdminProductQuery, toAdminProductFilter } from './product-query.ts'
import { CreateProductRequest, ProductParams, UpdateProductRequest } from './schemas.ts'
import { SALE_FIELDS } from './variant-input.ts'

const products = new Resource({
  path: '/admin/products',
  audit: {
    resource: 'products',
    create: 'postAdminProducts',
    update: 'patchAdminProductsProductId',
    delete: 'deleteAdminProductsProductId',
  },
  params: ProductParams,
  reads: staff('catalog:read'),
  writes: staff('catalog:write'),
  returns: ProductView,
  view: viewProduct,
  tag: ({ product }) => entityTag(product),
  example: PRODUCT,
})

const errors = [
  ProductErrors.skuTaken,
  ProductErrors.slugTaken,
  ProductErrors.priceRuleNotPositive,
  ProductErrors.tooLarge,
  AuthErrors.supportForbidden,
]

/** The prices of customer groups and future days, which a support session does not set. */
const FORBIDDEN_TO_SUPPORT = ['price_rules']

export const listAdminProducts = products.list({
  summary: 'List published and unpublished products',
  description:
    '`q` searches names, descriptions and tags, and finds a SKU. Deleted products are listed only with ' +
    '`deleted=true`, which lists no others.',
  query: AdminProductQuery,
  handle: ({ tx, store, query }) => list(tx, store, toAdminProductFilter(query)),
})

export const createProduct = products.create({
  summary: 'Create a product with its variants',
  description:
    'The product and all its parts are saved together. Without `slug` it is derived from the name; without ' +
    '`variants` the product gets one.',
  body: CreateProductRequest,
  errors,
  example: { body: NEW_PRODUCT },
  async handle({ tx, store, staff, body }) {
    refuseSupportFields(staff, body, FORBIDDEN_TO_SUPPORT)
    for (const variant of body.variants ?? []) refuseSupportFields(staff, variant, SALE_FIELDS)
    return create(tx, store, toNewProduct(body, store.currency))
  },
})

export const readAdminProduct = products.read({
  summary: 'Read a product as staff see it',
  handle: ({ tx, params }) => findProduct(tx, params.product_id),
})

export const updateProduct = products.update({
  summary: 'Change, publish or unpublish a product',
  description:
    'Omitted fields keep their values. Variants do not change, and new `options` must match them. `If-Match` with ' +
    'the ETag of an earlier read returns 412 when the product has changed since.',
  body: UpdateProductRequest,
  errors,
  example: { body: { is_active: false }, data: { ...PRODUCT, is_active: false } },
  async handle({ tx, store, staff, params, body, ifMatch }) {
    refuseSupportFields(staff, body, FORBIDDEN_TO_SUPPORT)
    return update(tx, store, params.product_id, toProductChanges(body, store.currency), ifMatch)
  },
})

export const deleteProduct = products.delete({
  summary: 'Delete a product',
  description:
    'It is unpublished and hidden in every list; its data is kept, and its slug and SKUs become free. `POST ' +
    '…/restore` restores it. To hide it only in the storefront, set `is_active` to false.',
  handle: ({ tx, store, params }) => remove(tx, store, params.product_id),
})

export const restoreProduct = endpoint({
  method: 'post',
  path: '/admin/products/:product_id/restore',
  access: staff('catalog:write'),
  audit: { action: 'postAdminProductsProductIdRestore', resource: 'products' },
  summary: 'Restore a deleted product',
  description:
    'The restored product is unpublished. `GET /admin/products?deleted=true` lists deleted products.',
  params: ProductParams,
  returns: [200, ProductView],
  errors: [CommonErrors.notFound, ProductErrors.notDeleted, ProductErrors.slugTaken, ProductErrors.skuTaken],
  example: { data: { ...PRODUCT, is_active: false } },
  async handle({ tx, params, ...call }) {
    return products.replyWith(200, await restore(tx, call.store, params.product_id), call)
  },
})

export const duplicateProduct = endpoint({
  method: 'post',
  path: '/admin/products/:product_id/duplicate',
  access: staff('catalog:write'),
  audit: { action: 'postAdminProductsProductIdDuplicate', resource: 'products' },
  summary: 'Duplicate a product',
  description:
    'The copy is unpublished, has its own slug and SKUs, has no stock and no barcodes, and is in no recurring plan.',
  params: ProductParams,
  returns: [201, ProductView],
  errors: [CommonErrors.notFound, ProductErrors.tooLarge],
  example: { data: { ...PRODUCT, slug: 'keel-rain-jacket-0a4c0019', is_active: false } },
  async handle({ tx, params, ...call }) {
    return products.replyWith(201, await duplicate(tx, call.store, params.product_id), call)
  },
})
