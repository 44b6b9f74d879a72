import type { Static, TObject } from 'typebox'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { ProductErrors } from '#shared/catalog/errors.ts'
import { updateProduct } from '#shared/catalog/products/update-product.ts'
import { ProductView, viewProduct } from '#shared/catalog/view.ts'
import { CommonErrors, type DeclaredError } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { ValidationError } from '#shared/platform/validation.ts'
import { CATEGORY, PRODUCT } from './examples.ts'
import { toProductChanges } from './product-input.ts'
import {
  ProductParams,
  ReplaceAttributesRequest,
  ReplaceCategoriesRequest,
  ReplaceImagesRequest,
  ReplacePriceRulesRequest,
  ReplaceRelatedRequest,
  type UpdateProductRequest,
} from './schemas.ts'

type ProductPatch = Static<typeof UpdateProductRequest>
type Field = 'attributes' | 'price_rules' | 'images' | 'category_ids' | 'related_ids'

const CATALOG = staff('catalog:write')

interface Part {
  /** Its name in the audit log. */
  action: string
  path: `/admin/products/:product_id/${string}`
  /** The field of the product. */
  field: Field
  summary: string
  body: TObject
  /** Default: staff and API tokens with the right to change the catalog. */
  access?: typeof CATALOG
  errors?: DeclaredError[]
  example: unknown[]
}

/** Returns the operation that replaces one part of a product, as PATCH of the product does with this field. */
const replaceOperation = ({
  action,
  path,
  field,
  summary,
  body,
  access = CATALOG,
  errors = [],
  example,
}: Part): Operation =>
  endpoint({
    method: 'put',
    path,
    access,
    audit: { action, resource: 'products' },
    summary,
    description:
      'Replaces the whole list with `items`. A repeated request changes nothing. `If-Match` takes the ' +
      "product's ETag; the response has the new one.",
    params: ProductParams,
    body,
    returns: [200, ProductView.properties[field]],
    errors: [CommonErrors.notFound, CommonErrors.changed, ProductErrors.tooLarge, ...errors],
    example: { body: { items: example }, data: PRODUCT[field] },
    async handle({ tx, store, params, body, request, ifMatch }) {
      const { items } = body as { items: unknown }
      const whole = await renameInFaults(field, () => {
        const changes = toProductChanges({ [field]: items } as ProductPatch, store.currency)
        return updateProduct(tx, store, params.product_id, changes, ifMatch)
      })
      const part = viewProduct(whole, store, request.language)[field]
      return reply(200, part, { ETag: entityTag(whole.product) })
    },
  })

/** Renames the product's field to `items` in faults, because that is its name in this operation. */
async function renameInFaults<T>(field: Field, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(
      error.faults.map(({ loc, ...fault }) => ({
        ...fault,
        loc: loc.map((step, i) => (i === 0 && step === field ? 'items' : step)),
      })),
    )
  }
}

export const replaceAttributes = replaceOperation({
  action: 'putAdminProductsProductIdAttributes',
  path: '/admin/products/:product_id/attributes',
  field: 'attributes',
  summary: 'Replace the attributes of a product',
  body: ReplaceAttributesRequest,
  example: PRODUCT.attributes.map(({ attribute_id, value }) => ({ attribute_id, value })),
})

export const replacePriceRules = replaceOperation({
  action: 'putAdminProductsProductIdPriceRules',
  path: '/admin/products/:product_id/price-rules',
  field: 'price_rules',
  access: staffNotSupport('catalog:write'),
  summary: 'Replace the special prices and quantity discounts of a product',
  body: ReplacePriceRulesRequest,
  errors: [ProductErrors.priceRuleNotPositive],
  example: PRODUCT.price_rules,
})

export const replaceImages = replaceOperation({
  action: 'putAdminProductsProductIdImages',
  path: '/admin/products/:product_id/images',
  field: 'images',
  summary: 'Replace the images of a product',
  body: ReplaceImagesRequest,
  example: PRODUCT.images.map(({ url, alt }) => ({ url, alt })),
})

export const replaceCategories = replaceOperation({
  action: 'putAdminProductsProductIdCategories',
  path: '/admin/products/:product_id/categories',
  field: 'category_ids',
  summary: 'Replace the categories of a product',
  body: ReplaceCategoriesRequest,
  example: [CATEGORY.id],
})

export const replaceRelated = replaceOperation({
  action: 'putAdminProductsProductIdRelated',
  path: '/admin/products/:product_id/related',
  field: 'related_ids',
  summary: 'Replace the related products of a product',
  body: ReplaceRelatedRequest,
  example: PRODUCT.related_ids,
})
