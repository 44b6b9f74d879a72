const at = '2026-10-11T09:30:00.000Z'

export const couponExample = {
  id: '01992f45-2a3b-7c4d-8e5f-6a7b8c9d0e1f',
  code: 'WELCOME10',
  name: 'Ten percent off the first order',
  description: '',
  type: 'percent',
  value: 10,
  min_total: 20,
  starts_at: null,
  ends_at: '2026-12-31T23:00:00.000Z',
  uses_total: 500,
  uses_per_customer: 1,
  uses_count: 12,
  logged_in_only: false,
  free_shipping: false,
  product_ids: [],
  category_ids: [],
  is_active: true,
  metadata: {},
  created_at: at,
  updated_at: at,
}

export const newCouponExample = {
  code: couponExample.code,
  name: couponExample.name,
  type: couponExample.type,
  value: couponExample.value,
  min_total: couponExample.min_total,
  ends_at: couponExample.ends_at,
  uses_total: couponExample.uses_total,
  uses_per_customer: couponExample.uses_per_customer,
}

export const couponUseExample = {
  id: '01992f46-3b4c-7d5e-8f60-7b8c9d0e1f2a',
  order_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
  customer_id: null,
  discount: 2.48,
  currency: 'EUR',
  created_at: at,
  released_at: null,
}
