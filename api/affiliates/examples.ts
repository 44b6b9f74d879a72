const at = '2026-10-11T09:30:00.000Z'

const common = {
  id: '01992f48-5d6e-7f70-8182-9d0e1f2a3b4c',
  code: 'ada',
  status: 'approved',
  website: 'https://ada.example',
  company: '',
  currency: 'EUR',
  balance: { pending: 12.5, payable: 40, paid: 110 },
  created_at: at,
  updated_at: at,
}

const payout = { method: 'bank', details: { iban: 'DE02120300000000202051', name: 'Ada Byron' } }

export const affiliateExample = {
  ...common,
  customer_id: '01992f3e-6b0a-7c41-8d5e-4a0b9c8d7e6f',
  commission_percent: null,
  payout,
}

export const newAffiliateExample = {
  customer_id: affiliateExample.customer_id,
  code: common.code,
  website: common.website,
  payout,
}

export const applicationExample = { code: common.code, website: common.website, payout }

export const ownPayoutExample = { payout, current_password: 'correct horse battery' }

export const commissionEntryExample = {
  id: '01992f49-6e7f-7081-8293-0e1f2a3b4c5d',
  number: 7,
  kind: 'earned',
  amount: 2.5,
  balance: 52.5,
  currency: 'EUR',
  order_id: '01992f3f-7c1a-7b52-9d6e-5a1c0e4b7f21',
  payable_at: '2026-11-10T09:30:00.000Z',
  reference: '',
  created_at: at,
}

export const payoutEntryExample = {
  ...commissionEntryExample,
  kind: 'paid',
  amount: -40,
  balance: 12.5,
  order_id: null,
  payable_at: null,
  reference: 'Transfer of November',
}

export const ownAffiliateExample = {
  ...common,
  commission_percent: 5,
  link: 'https://harbor.example/?tracking_code=ada',
  payout,
  visits: 431,
  orders: 22,
  entries: [commissionEntryExample],
}
