const at = '2026-10-11T09:30:00.000Z'

export const campaignExample = {
  id: '01992f47-4c5d-7e6f-9071-8c9d0e1f2a3b',
  name: 'Newsletter of October',
  code: 'OCTOBER',
  description: '',
  landing_url: 'https://harbor.example/autumn',
  is_active: true,
  starts_at: null,
  ends_at: '2026-10-31T23:00:00.000Z',
  visits: 812,
  orders: 31,
  revenue: 1_964.5,
  created_at: at,
  updated_at: at,
}

export const newCampaignExample = {
  name: campaignExample.name,
  code: campaignExample.code,
  landing_url: campaignExample.landing_url,
  ends_at: campaignExample.ends_at,
}

export const statsExample = {
  date_from: '2026-10-11',
  date_to: '2026-10-11',
  currency: 'EUR',
  visitors: 74,
  visits: 74,
  orders: 3,
  revenue: 187.5,
  conversion: 0.0405,
  days: [{ date: '2026-10-11', visits: 74, orders: 3, revenue: 187.5, conversion: 0.0405 }],
}
