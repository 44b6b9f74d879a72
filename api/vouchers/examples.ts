export const themeExample = {
  id: '01992f50-3c1d-7a2e-8b4f-5d6e7f8a9b0c',
  name_i18n: { en: 'Birthday', de: 'Geburtstag' },
  image: 'https://images.example/birthday.png',
}

export const voucherExample = {
  id: '01992f51-6b2a-7c3d-9e4f-0a1b2c3d4e5f',
  order_id: null,
  code: '7K3M-9QXZ-4TRB-WH2C',
  from_name: 'Ada Byron',
  from_email: 'ada@example.com',
  to_name: 'Grace Hopper',
  to_email: 'grace@example.com',
  voucher_theme_id: themeExample.id,
  message: 'Happy birthday!',
  amount: 50,
  is_active: true,
  is_disputed: false,
  created_at: '2026-10-11T09:30:00.000Z',
  updated_at: '2026-10-11T10:02:00.000Z',
  voucher_theme: themeExample,
  amount_remaining: 37.6,
  currency: 'EUR',
  expires_at: null,
  metadata: {},
}

export const newVoucherExample = {
  amount: voucherExample.amount,
  to_name: voucherExample.to_name,
  to_email: voucherExample.to_email,
  voucher_theme_id: voucherExample.voucher_theme_id,
  message: voucherExample.message,
}

const { code, amount, amount_remaining, currency, expires_at, voucher_theme } = voucherExample
export const balanceExample = { code, amount, amount_remaining, currency, expires_at, voucher_theme }

export const ledgerEntryExample = {
  id: '01992f52-7d3b-7e4c-8f5a-1b2c3d4e5f6a',
  kind: 'capture',
  amount: 12.4,
  balance: 37.6,
  order_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
  actor: 'system',
  created_at: '2026-10-11T10:02:00.000Z',
}
