import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { adjustStock as adjust } from '#shared/inventory/adjust-stock.ts'
import { StockAdjustmentView, viewAdjustment } from '#shared/inventory/adjustment-view.ts'
import {
  listStockMovements as listMovements,
  STOCK_MOVEMENTS,
} from '#shared/inventory/list-stock-movements.ts'
import { StockMovementView, viewMovement } from '#shared/inventory/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { movementExample } from './examples.ts'
import { toAdjustment } from './read-request.ts'
import { AdjustStockRequest, StockParams } from './schemas.ts'

export const listStockMovements = endpoint({
  method: 'get',
  path: '/admin/variants/:variant_id/stock',
  access: staff('catalog:read'),
  paginated: true,
  summary: "List a variant's stock movements, the latest first",
  params: StockParams,
  query: listQuery(STOCK_MOVEMENTS),
  returns: [200, Type.Array(StockMovementView)],
  errors: [CommonErrors.notFound],
  example: { data: [movementExample] },
  async handle({ tx, params, query }) {
    return page(await listMovements(tx, params.variant_id, query), query, viewMovement)
  },
})

export const adjustStock = endpoint({
  method: 'post',
  path: '/admin/variants/:variant_id/stock',
  access: staff('catalog:write'),
  audit: { action: 'postAdminVariantsVariantIdStock', resource: 'variants' },
  summary: 'Adjust the stock of a variant',
  description:
    'Send a difference in units, or the counted units. It is recorded as a stock movement. A decrease below zero is ' +
    'refused; an increase is accepted even if the stock stays below zero.',
  params: StockParams,
  body: AdjustStockRequest,
  returns: [201, StockAdjustmentView],
  errors: [CommonErrors.notFound],
  example: {
    body: { delta: -2, note: 'Broken in the stockroom' },
    data: {
      variant_id: movementExample.variant_id,
      stock_on_hand: 4,
      stock_available: 4,
      orders_short: 0,
      movement: movementExample,
    },
  },
  async handle({ tx, params, body }) {
    return reply(201, viewAdjustment(await adjust(tx, params.variant_id, toAdjustment(body))))
  },
})
