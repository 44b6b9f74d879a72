export const refundExample = {
  id: '01992f41-52a3-7e4b-9f0c-6d1e8b3a7f55',
  order_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
  origin: 'store',
  amount: 24.8,
  voucher_amount: 0,
  currency: 'EUR',
  status: 'succeeded',
  reason: 'Arrived damaged',
  gateway_reference: 're_3QK1dE2eZvKYlo2C0b7kX9wM',
  failure_reason: null,
  created_at: '2026-10-11T09:30:00.000Z',
  settled_at: '2026-10-11T09:30:00.412Z',
}
