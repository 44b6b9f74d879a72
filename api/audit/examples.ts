const webhook = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e10',
  url: 'https://hooks.example.com/commerce',
  is_active: true,
}

export const auditEntryExample = {
  sequence: 4_711,
  created_at: '2026-10-11T09:30:00.000Z',
  store_id: '0199d1f0-0000-7c3a-9a51-2f6f0c7d9e10',
  actor: {
    type: 'staff',
    id: '01992f3e-7c1a-7b52-9d6e-5a1c0e4b7f21',
    email: 'tom@harbor.example',
    session_id: '01992f3e-8d00-7a41-8f0a-1b2c3d4e5f60',
  },
  ip: '203.0.113.7',
  request_id: '5d1f4c0a9b7e4a52',
  action: 'patchAdminWebhooksWebhookId',
  resource: { type: 'webhooks', id: webhook.id },
  before: webhook,
  after: { ...webhook, is_active: false },
  is_erased: false,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}
