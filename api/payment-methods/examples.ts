export const paymentMethodExample = {
  code: 'bank_transfer',
  name_i18n: { en: 'Bank transfer' },
  instructions_i18n: { en: 'Pay to DE02 1203 0000 0000 2020 51.' },
  position: 1,
  is_active: true,
}
