import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { refuseSupportFields } from '#api/platform/auth/assert-not-support.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { ProductErrors } from '#shared/catalog/errors.ts'
import { findProduct, type WholeProduct } from '#shared/catalog/product.ts'
import { findVariantOf } from '#shared/catalog/variant.ts'
import { VariantView, viewVariant } from '#shared/catalog/variant-view.ts'
import { createVariant as create } from '#shared/catalog/variants/create-variant.ts'
import { deleteVariant as remove } from '#shared/catalog/variants/delete-variant.ts'
import { updateVariant as update } from '#shared/catalog/variants/update-variant.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { PRODUCT } from './examples.ts'
import { ProductParams } from './schemas.ts'
import {
  SALE_FIELDS,
  toNewVariant,
  toVariantChanges,
  UpdateVariantRequest,
  VariantParams,
  VariantRequest,
} from './variant-input.ts'

const LIST_PATH = '/admin/products/:product_id/variants'
const VARIANT_PATH = `${LIST_PATH}/:variant_id`
const [example] = PRODUCT.variants
const errors = [ProductErrors.skuTaken, ProductErrors.tooLarge, AuthErrors.supportForbidden]
const ETAG_NOTE = "`If-Match` takes the product's ETag; the response has the new one."
const etagHeaderOf = ({ product }: WholeProduct) => ({ ETag: entityTag(product) })

export const listVariants = endpoint({
  method: 'get',
  path: LIST_PATH,
  access: staff('catalog:read'),
  summary: 'List the variants of a product',
  params: ProductParams,
  returns: [200, Type.Array(VariantView)],
  errors: [CommonErrors.notFound],
  example: { data: [example] },
  async handle({ tx, store, params }) {
    const whole = await findProduct(tx, params.product_id)
    const views = whole.variants.map((variant) => viewVariant(variant, store.currency))
    return reply(200, views, etagHeaderOf(whole))
  },
})

export const createVariant = endpoint({
  method: 'post',
  path: LIST_PATH,
  access: staff('catalog:write'),
  audit: { action: 'postAdminProductsProductIdVariants', resource: 'products' },
  summary: 'Add a variant to a product',
  description:
    'It needs one value of every option of the product, ' +
    `in a combination that no other variant has. ${ETAG_NOTE}`,
  params: ProductParams,
  body: VariantRequest,
  returns: [201, VariantView],
  errors: [CommonErrors.notFound, CommonErrors.changed, ...errors],
  example: {
    body: { sku: 'HG-KEEL-M', option_values: { Size: 'M' }, stock_on_hand: 6 },
    data: { ...example, sku: 'HG-KEEL-M', position: 1, option_values: { Size: 'M' } },
  },
  async handle({ tx, store, staff, params, body, ifMatch }) {
    refuseSupportFields(staff, body, SALE_FIELDS)
    const draft = toNewVariant(body, store.currency)
    const { variant, whole } = await create(tx, store, params.product_id, draft, ifMatch)
    return reply(201, viewVariant(variant, store.currency), etagHeaderOf(whole))
  },
})

export const readVariant = endpoint({
  method: 'get',
  path: VARIANT_PATH,
  access: staff('catalog:read'),
  summary: 'Read a variant',
  params: VariantParams,
  returns: [200, VariantView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, store, params }) {
    const whole = await findProduct(tx, params.product_id)
    return reply(
      200,
      viewVariant(findVariantOf(whole, params.variant_id), store.currency),
      etagHeaderOf(whole),
    )
  },
})

export const updateVariant = endpoint({
  method: 'patch',
  path: VARIANT_PATH,
  access: staff('catalog:write'),
  audit: { action: 'patchAdminProductsProductIdVariantsVariantId', resource: 'products/variants' },
  summary: 'Change a variant',
  description:
    'Omitted fields keep their values; stock is adjusted at ' +
    `\`/admin/variants/{variant_id}/stock\`. ${ETAG_NOTE}`,
  params: VariantParams,
  body: UpdateVariantRequest,
  returns: [200, VariantView],
  errors: [CommonErrors.notFound, CommonErrors.changed, ...errors],
  example: { body: { sale_price: 149 }, data: { ...example, sale_price: 149 } },
  async handle({ tx, store, staff, params, body, ifMatch }) {
    refuseSupportFields(staff, body, SALE_FIELDS)
    const ids = { productId: params.product_id, variantId: params.variant_id }
    const changes = toVariantChanges(body, store.currency)
    const { variant, whole } = await update(tx, store, ids, changes, ifMatch)
    return reply(200, viewVariant(variant, store.currency), etagHeaderOf(whole))
  },
})

export const deleteVariant = endpoint({
  method: 'delete',
  path: VARIANT_PATH,
  access: staff('catalog:write'),
  audit: { action: 'deleteAdminProductsProductIdVariantsVariantId', resource: 'products/variants' },
  summary: 'Delete a variant',
  description: 'Orders keep it, and its SKU becomes free. The last variant of a product cannot be deleted.',
  params: VariantParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, CommonErrors.changed, ProductErrors.lastVariant],
  example: { data: null },
  async handle({ tx, store, params, ifMatch }) {
    const ids = { productId: params.product_id, variantId: params.variant_id }
    const whole = await remove(tx, store, ids, ifMatch)
    return reply(200, null, etagHeaderOf(whole))
  },
})
