const times = { created_at: '2026-10-10T08:15:30.123Z', updated_at: '2026-10-10T08:15:30.123Z' }

export const taxClassExample = {
  id: '0199d1f0-6a1b-7c3a-9a51-2f6f0c7d9e31',
  name: 'Standard',
  description: 'Goods without a reduced rate',
  is_default: true,
  ...times,
}

export const taxRateExample = {
  id: '0199d1f0-6a1b-7c3a-9a51-2f6f0c7d9e41',
  name: 'VAT 19 %',
  percent: 19,
  tax_class_id: taxClassExample.id,
  geo_zone_id: '0199d1f0-6a1b-7c3a-9a51-2f6f0c7d9e21',
  priority: 1,
  is_compound: false,
  ...times,
}
