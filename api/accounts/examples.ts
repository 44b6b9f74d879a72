const id = '01992f3e-7c1a-7b52-9d6e-5a1c0e4b7f21'
const created_at = '2026-10-11T09:30:00.000Z'

export const customerExample = {
  id,
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Byron',
  telephone: '+49 30 901820',
  accepts_marketing: false,
  is_active: true,
  created_at,
  updated_at: created_at,
}

export const tokenPairExample = {
  access_token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6IjIwMjYifQ.eyJ0eXAiOiJjdXN0b21lciJ9.c2lnbmF0dXJl',
  refresh_token: `cx_rt_${'x'.repeat(91)}`,
  token_type: 'Bearer',
  expires_in: 1800,
}

export const profileExample = {
  account: 'customer',
  ...customerExample,
  is_owner: false,
  recovery_codes_remaining: 0,
}
