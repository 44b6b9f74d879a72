const at = '2026-10-11T09:30:00.000Z'

export const recurringPlanExample = {
  id: '01992f52-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
  name_i18n: { en: 'Every month', de: 'Jeden Monat' },
  price: 9.5,
  duration: 1,
  duration_unit: 'month',
  cycle: 0,
  trial: { price: 1, duration: 2, duration_unit: 'week', cycle: 1, max_quantity: 1 },
  is_active: true,
  sort_order: 0,
  product_ids: ['01992f3e-1b2c-7d3e-8f4a-5b6c7d8e9f01'],
  created_at: at,
  updated_at: at,
}

export const newRecurringPlanExample = {
  name_i18n: recurringPlanExample.name_i18n,
  price: recurringPlanExample.price,
  duration: recurringPlanExample.duration,
  duration_unit: recurringPlanExample.duration_unit,
  trial: recurringPlanExample.trial,
  product_ids: recurringPlanExample.product_ids,
}
