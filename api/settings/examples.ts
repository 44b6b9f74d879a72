export const paymentMethodExample = {
  code: 'bank_transfer',
  name_i18n: { en: 'Bank transfer' },
  instructions_i18n: { en: 'Pay to DE02 1203 0000 0000 2020 51.' },
  position: 1,
  is_active: true,
}

export const shippingMethodExample = {
  id: '01992e11-0c2d-7e4f-8a6b-9c0d1e2f3a4b',
  code: 'parcel',
  name_i18n: { en: 'Parcel' },
  estimate_i18n: { en: '2 to 3 working days' },
  price: 4.9,
  free_from: 50,
  max_weight: 30_000,
  tax_class_id: null,
  geo_zone_ids: ['0199d1f0-6a1b-7c3a-9a51-2f6f0c7d9e21'],
  position: 0,
  is_active: true,
  created_at: '2026-10-10T08:15:30.123Z',
  updated_at: '2026-10-10T08:15:30.123Z',
}
