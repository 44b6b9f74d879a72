const at = '2026-10-11T09:30:00.000Z'

export const groupExample = {
  id: '0199b1c2-1111-7c3e-8f21-5b8de0a4c0a1',
  name_i18n: { en: 'Trade', de: 'Handel' },
  description_i18n: {},
  is_default: false,
  tax_exempt: false,
  sort_order: 1,
  customers_count: 12,
  created_at: at,
  updated_at: at,
}

export const customerExample = {
  id: '01992f3e-7c1a-7b52-9d6e-5a1c0e4b7f21',
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Byron',
  telephone: '+49 30 901820',
  language: 'en',
  customer_group_id: groupExample.id,
  is_active: true,
  email_verified_at: at,
  accepts_marketing: false,
  tax_exempt: false,
  tax_number: '',
  note: '',
  metadata: {},
  orders_count: 2,
  total_spent: 59.8,
  average_order: 29.9,
  last_order_at: at,
  anonymized_at: null,
  created_at: at,
  updated_at: at,
}

export const newCustomerExample = {
  email: customerExample.email,
  firstname: customerExample.firstname,
  lastname: customerExample.lastname,
  customer_group_id: customerExample.customer_group_id,
  send_invitation: true,
}

export const createdCustomerExample = {
  ...customerExample,
  email_verified_at: null,
  orders_count: 0,
  total_spent: 0,
  average_order: 0,
  last_order_at: null,
}

export const customerRecordExample = {
  ...customerExample,
  addresses: [],
  sessions: [
    {
      id: '01992f3e-8c1a-7b52-9d6e-5a1c0e4b7f21',
      created_at: at,
      last_used_at: at,
      ip: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
  ],
  latest_orders: [
    {
      id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
      number: '7K3M9-QXZ4T',
      status: 'complete',
      payment_status: 'paid',
      total: 29.9,
      currency: 'EUR',
      created_at: at,
    },
  ],
  latest_returns: [],
  latest_subscriptions: [],
  latest_vouchers: [],
  wishlist_size: 3,
}

export const anonymizedExample = {
  ...customerExample,
  email: `${customerExample.id}@anonymized.invalid`,
  firstname: '',
  lastname: '',
  telephone: '',
  language: '',
  is_active: false,
  email_verified_at: null,
  anonymized_at: at,
}

export const exportExample = {
  exported_at: at,
  customer: customerExample,
  addresses: [],
  sessions: customerRecordExample.sessions,
  security_events: [],
  identity_links: [],
  cart: null,
  orders: [],
  order_notes: [],
  payments: [],
  saved_cards: [
    { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2029, created_at: '2026-10-12T09:30:00.000Z' },
  ],
  refunds: [],
  returns: [],
  subscriptions: [],
  vouchers: [],
  questions: [],
  affiliates: [],
  wishlist: [],
}

const { note: _, ...ownCustomerExample } = customerExample

export const ownExportExample = { ...exportExample, customer: ownCustomerExample }
