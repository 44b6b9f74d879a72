const id = '01992f3e-7c1a-7b52-9d6e-5a1c0e4b7f21'
const created_at = '2026-10-11T09:30:00.000Z'

export const ownCustomerExample = {
  id,
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Byron',
  telephone: '+49 30 901820',
  accepts_marketing: false,
  language: 'en',
  verified_at: null,
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
  ...ownCustomerExample,
  is_owner: false,
  two_factor_enabled: false,
  recovery_codes_remaining: 0,
}

export const sessionExample = {
  id,
  current: true,
  created_at,
  last_used_at: created_at,
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

export const activityExample = {
  id,
  kind: 'signed_in_from_new_device',
  created_at,
  session_id: id,
  ip: sessionExample.ip,
  user_agent: sessionExample.user_agent,
}

export const identityLinkExample = {
  id,
  provider: { code: 'sandbox', name: 'Sandbox', is_active: true },
  created_at,
}

export const linkTokenExample = `cx_ln_${'x'.repeat(86)}`

export const twoFactorSetupExample = {
  secret: 'NHORCTEECOTRVH2DSLKNPEBOAKJDAZHB',
  otpauth_uri:
    'otpauth://totp/Harbor%20Goods:ada%40example.com?secret=NHORCTEECOTRVH2DSLKNPEBOAKJDAZHB&issuer=Harbor%20Goods',
  qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">…</svg>',
}

export const recoveryCodesExample = {
  recovery_codes: Array.from({ length: 10 }, (_, n) => `7k${n}p-x4wm-9tqa-e2vd`),
}
