import { Type } from 'typebox'
import { defineEvent } from '#shared/platform/events/events.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { ProductView } from './view.ts'

export const productCreated = defineEvent('product.created', 'A product was created', ProductView)
export const productUpdated = defineEvent('product.updated', 'A product was changed', ProductView)
export const productDeleted = defineEvent('product.deleted', 'A product was deleted', ProductView)

const StockView = Shape({
  product_id: Uuid,
  variant_id: Uuid,
  sku: Type.String(),
  stock_available: Type.Integer({ description: 'On hand, less what is sold or in a checkout' }),
})

export const productOutOfStock = defineEvent(
  'product.out_of_stock',
  'The last unit of a variant that could be promised is gone',
  StockView,
)
export const productBackInStock = defineEvent(
  'product.back_in_stock',
  'Units of a variant can be promised again',
  StockView,
)
