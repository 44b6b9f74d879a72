export const paymentExample = {
  id: '01992f40-0b1c-7d2e-8f3a-4b5c6d7e8f90',
  kind: 'payment',
  provider: 'stripe',
  status: 'requires_action',
  client_secret: 'pi_3QK1dE2eZvKYlo2C_secret_9f8e7d6c5b4a',
  expires_at: '2026-10-12T09:30:00.000Z',
}

export const setupExample = {
  ...paymentExample,
  kind: 'setup',
  client_secret: 'seti_1QK1dE2eZvKYlo2C_secret_1a2b3c4d5e6f',
}
