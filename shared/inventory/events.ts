import { Type } from 'typebox'
import { defineEvent } from '#shared/platform/events/events.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { StockAvailable } from './view.ts'

const StockView = Shape({
  product_id: Uuid,
  variant_id: Uuid,
  sku: Type.String(),
  stock_available: StockAvailable,
})

export const productOutOfStock = defineEvent(
  'product.out_of_stock',
  'catalog',
  'The last available unit of a variant was sold or held',
  StockView,
)
export const productBackInStock = defineEvent(
  'product.back_in_stock',
  'catalog',
  'A variant has available units again',
  StockView,
)
