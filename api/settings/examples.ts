export const settingsExample = {
  name: 'Harbor Goods',
  slug: 'harbor',
  email: 'hello@harbor.example',
  currency: 'EUR',
  languages: ['en', 'de'],
  default_language: 'en',
  time_zone: 'Europe/Berlin',
  guest_checkout_enabled: true,
  min_order_total: 10,
  stock_hold_seconds: 2100,
  unpaid_order_seconds: 86400,
}
