import { Type } from 'typebox'
import { OrderParams } from '#api/orders/schemas.ts'
import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { addOrderNote as add } from '#shared/order-history/add-order-note.ts'
import { OrderHistoryErrors } from '#shared/order-history/errors.ts'
import { HistoryEntryView, readHistory } from '#shared/order-history/history.ts'
import { OrderNoteView, viewOrderNote } from '#shared/order-history/order-note.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { AddOrderNoteRequest } from './schemas.ts'

export const addOrderNote = endpoint({
  method: 'post',
  path: '/admin/orders/:order_id/notes',
  access: staff('sales:write'),
  audit: { action: 'postAdminOrdersOrderIdNotes', resource: 'orders' },
  summary: 'Add a note to an order, for staff or for its buyer',
  description: 'With `notify`, the buyer gets it by mail; it must be visible to them.',
  params: OrderParams,
  body: AddOrderNoteRequest,
  returns: [201, OrderNoteView],
  errors: [CommonErrors.notFound, OrderHistoryErrors.noteLimitReached],
  example: {
    body: { body: 'The mugs come from another batch: the blue is lighter.', is_customer_visible: true },
    data: {
      id: '01992f4a-3c5e-7a21-9b0d-8e7f6a5b4c3d',
      body: 'The mugs come from another batch: the blue is lighter.',
      is_customer_visible: true,
      is_mailed: false,
      created_at: '2026-10-11T09:45:00.000Z',
    },
  },
  async handle({ tx, params, body: { body, is_customer_visible, notify }, staff }) {
    const note = { body, isCustomerVisible: is_customer_visible ?? false, notify: notify ?? false }
    return viewOrderNote(await add(tx, params.order_id, note, staff.name))
  },
})

export const readOrderHistory = endpoint({
  method: 'get',
  path: '/admin/orders/:order_id/history',
  access: staff('sales:read'),
  audit: { action: 'getAdminOrdersOrderIdHistory', resource: 'orders' },
  summary: 'Read the history of an order, oldest first',
  description:
    'Its statuses, shipments, steps of returns, payments, surpluses, refunds, disputes, notes and mails, each with ' +
    'the name of its actor.',
  params: OrderParams,
  returns: [200, Type.Array(HistoryEntryView)],
  errors: [CommonErrors.notFound],
  example: {
    data: [
      {
        kind: 'status',
        at: '2026-10-11T09:30:00.000Z',
        actor: { type: 'staff', id: '01992f3c-8d11-7c40-b2aa-1f0e9d8c7b6a', name: 'Grace Hopper' },
        id: null,
        status: 'shipped',
        text: '',
        amount: null,
        currency: '',
      },
    ],
  },
  async handle({ tx, params }) {
    return readHistory(tx, params.order_id)
  },
})
