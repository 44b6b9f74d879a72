import { orderExample } from '#api/orders/examples.ts'
import type { SubscriptionDetailView } from '#shared/subscriptions/charges/next-charge.ts'
import type { SubscriptionView } from '#shared/subscriptions/view.ts'

export const subscriptionExample = {
  id: '01920f3e-7d1a-7c3e-9b56-6a1c0f0a5e11',
  status: 'active',
  customer_id: '01920f3e-6a11-7d0e-8c1f-0a9d3c2b1e44',
  recurring_plan_id: '01920f3e-5b0c-7a4d-9e21-7f6d5c4b3a22',
  plan_name: 'Every month, the first one free',
  product_id: '01920f3e-4c7e-7b19-8a3d-1b2c3d4e5f60',
  variant_id: '01920f3e-4c7f-7c28-9b4e-2c3d4e5f6071',
  name: 'House coffee',
  sku: 'COFFEE-500',
  quantity: 2,
  currency: 'EUR',
  unit_price: 14.9,
  next_price: null,
  duration: 1,
  duration_unit: 'month',
  cycle: 0,
  trial: { unit_price: 0, duration: 1, duration_unit: 'month', cycle: 1 },
  is_trial: false,
  payment_method: 'card',
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2028 },
  firstname: orderExample.firstname,
  lastname: orderExample.lastname,
  telephone: orderExample.telephone,
  shipping_address: orderExample.shipping_address,
  billing_address: orderExample.billing_address,
  shipping_method_id: orderExample.shipping_method.id,
  started_at: '2026-01-31T09:30:00.000Z',
  past_charges: 1,
  charges_left: null,
  next_charge_at: '2026-02-28T09:30:00.000Z',
  failed_charge: null,
  cancels_at_period_end: false,
  ended_at: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:31:12.000Z',
} satisfies SubscriptionView

export const subscriptionDetailExample = {
  ...subscriptionExample,
  next_charge: {
    charge_no: 2,
    at: subscriptionExample.next_charge_at,
    amount: { subtotal: 29.8, shipping_total: 4.9, tax_total: 6.59, total: 41.29 },
    problem: '',
  },
} satisfies SubscriptionDetailView

export const pausedExample = {
  ...subscriptionDetailExample,
  status: 'paused',
  is_trial: false,
  next_charge_at: null,
  next_charge: null,
} satisfies SubscriptionDetailView

export const canceledExample = {
  ...pausedExample,
  status: 'canceled',
  ended_at: '2026-02-10T08:00:00.000Z',
} satisfies SubscriptionDetailView
