import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { adjustStock as adjust, findMovements } from '#shared/catalog/variants/adjust-stock.ts'
import { StockMovementView, viewMovement } from '#shared/catalog/variants/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PlainPageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'
import { MOVEMENT } from './examples.ts'
import { toAdjustment } from './variant-input.ts'
import { AdjustStockRequest, StockParams } from './variant-schemas.ts'

export const listStockMovements = endpoint({
  method: 'get',
  path: '/admin/variants/:variant_id/stock',
  access: staff('catalog:read'),
  paginated: true,
  summary: 'List how the stock of a variant came about, the latest first',
  params: StockParams,
  query: PlainPageQuery,
  returns: [200, Type.Array(StockMovementView)],
  errors: [CommonErrors.notFound],
  example: { data: [MOVEMENT] },
  async handle({ tx, params, query }) {
    return page(await findMovements(tx, params.variant_id, query), query, viewMovement)
  },
})

export const adjustStock = endpoint({
  method: 'post',
  path: '/admin/variants/:variant_id/stock',
  access: staff('catalog:write'),
  audit: { action: 'postAdminVariantsVariantIdStock', resource: 'variants' },
  summary: 'Adjust the stock of a variant',
  description:
    'By units that came or went, or to units that were counted. It is kept as a movement of stock.',
  params: StockParams,
  body: AdjustStockRequest,
  returns: [
    201,
    Shape({
      variant_id: Uuid,
      stock_on_hand: Type.Integer(),
      stock_available: Type.Integer({ description: 'On hand, less what is sold or in a checkout' }),
      movement: StockMovementView,
    }),
  ],
  errors: [CommonErrors.notFound],
  example: {
    body: { delta: -2, note: 'Broken in the stockroom' },
    data: { variant_id: MOVEMENT.variant_id, stock_on_hand: 4, stock_available: 4, movement: MOVEMENT },
  },
  async handle({ tx, params, body }) {
    const { variant, movement } = await adjust(tx, params.variant_id, toAdjustment(body))
    const { id, stockOnHand, stockAvailable } = variant
    return reply(201, {
      variant_id: id,
      stock_on_hand: stockOnHand,
      stock_available: stockAvailable,
      movement: viewMovement(movement),
    })
  },
})
