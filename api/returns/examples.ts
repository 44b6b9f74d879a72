const created_at = '2026-10-14T08:15:00.000Z'

export const returnExample = {
  id: '01993f10-6b2c-7d41-8e55-0a1b2c3d4e5f',
  number: 'R4T8WN-0QH2V',
  status: 'requested',
  action: 'refund',
  order_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
  order_number: '7K3M9-QXZ4T',
  customer_id: '01992e0f-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Byron',
  comment: 'The handle came off',
  message: '',
  metadata: {},
  currency: 'EUR',
  items: [
    {
      id: '01993f10-6b30-7a12-9c34-1b2c3d4e5f60',
      order_item_id: '01992f3f-7c20-7a31-8b42-9c53ad64be75',
      product_id: '01992e10-5a6b-7c8d-9e0f-1a2b3c4d5e6f',
      variant_id: '01992e10-5a70-7b1c-8f2d-3e4a5b6c7d8e',
      name: 'Stoneware mug',
      sku: 'MUG-BLUE',
      quantity: 1,
      reason: 'defective',
      condition: 'opened',
      note: '',
      disposition: null as string | null,
    },
  ],
  refund: null as object | null,
  voucher_id: null as string | null,
  replacement_order_id: null as string | null,
  created_at,
  updated_at: created_at,
  approved_at: null as string | null,
  received_at: null as string | null,
  restocked_at: null as string | null,
  closed_at: null as string | null,
}

const approved_at = '2026-10-14T10:02:00.000Z'
const received_at = '2026-10-19T13:40:00.000Z'
const refunded_at = '2026-10-19T13:45:00.000Z'

export const approvedReturnExample = {
  ...returnExample,
  status: 'approved',
  message: 'Send it to Harbor Goods, Returns, Quay 1, 24103 Kiel.',
  updated_at: approved_at,
  approved_at,
}

export const rejectedReturnExample = {
  ...returnExample,
  status: 'rejected',
  message: 'The time to return these goods is over.',
  updated_at: approved_at,
  closed_at: approved_at,
}

export const canceledReturnExample = {
  ...returnExample,
  status: 'canceled',
  updated_at: approved_at,
  closed_at: approved_at,
}

export const receivedReturnExample = {
  ...approvedReturnExample,
  status: 'received',
  items: returnExample.items.map((item) => ({ ...item, disposition: 'restocked' })),
  updated_at: received_at,
  received_at,
}

export const restockedReturnExample = {
  ...receivedReturnExample,
  updated_at: refunded_at,
  restocked_at: refunded_at,
}

export const refundedReturnExample = {
  ...restockedReturnExample,
  status: 'completed',
  refund: { id: '01993f2a-52a3-7e4b-9f0c-6d1e8b3a7f55', amount: 12.4, status: 'succeeded' },
  closed_at: refunded_at,
}

export const replacedReturnExample = {
  ...restockedReturnExample,
  status: 'completed',
  action: 'replacement',
  replacement_order_id: '01993f2b-0b1c-7d2e-8f3a-4b5c6d7e8f90',
  closed_at: refunded_at,
}

const [{ order_item_id, quantity, reason, condition }] = returnExample.items as [
  (typeof returnExample.items)[number],
]

export const returnRequestExample = {
  order_id: returnExample.order_id,
  action: 'refund',
  comment: returnExample.comment,
  items: [{ order_item_id, quantity, reason, condition }],
}

export const orderContextExample = {
  order_id: returnExample.order_id,
  customer_id: returnExample.customer_id,
  firstname: 'Ada',
  lastname: 'Byron',
  email: 'ada@example.com',
  telephone: '+49 431 1234',
  date_ordered: '2026-10-11',
  currency: 'EUR',
  lines: [
    {
      order_item_id,
      product_id: '01992e10-5a6b-7c8d-9e0f-1a2b3c4d5e6f',
      variant_id: '01992e10-5a70-7b1c-8f2d-3e4a5b6c7d8e',
      product_name: 'Stoneware mug',
      sku: 'MUG-BLUE',
      variant_attributes: { Colour: 'Blue' },
      quantity: 2,
      returned: 1,
      returnable: 1,
    },
  ],
}
