import { Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { DISPUTES, listDisputes as list } from '#shared/disputes/list-disputes.ts'
import { DisputeView, viewDispute } from '#shared/disputes/view.ts'

export const listDisputes = endpoint({
  method: 'get',
  path: '/admin/disputes',
  access: staff('sales:read'),
  paginated: true,
  summary: 'List the disputes of payments, newest first',
  description:
    'Answer a dispute in the dashboard of the payment gateway. While it is open, its order cannot be shipped.',
  query: listQuery(DISPUTES),
  returns: [200, Type.Array(DisputeView)],
  example: {
    data: [
      {
        id: '01992f52-1b7c-7a10-8e2d-4f6a9c3b5d70',
        order_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
        payment_id: '01992f40-0b1c-7d2e-8f3a-4b5c6d7e8f90',
        status: 'needs_response',
        reason: 'product_not_received',
        amount: 29.7,
        currency: 'EUR',
        gateway_reference: 'dp_3QK1dE2eZvKYlo2C',
        respond_by: '2026-10-25T23:59:59.000Z',
        opened_at: '2026-10-16T08:12:00.000Z',
        closed_at: null,
      },
    ],
  },
  async handle({ tx, query }) {
    return page(await list(tx, query), query, viewDispute)
  },
})
