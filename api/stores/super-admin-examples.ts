const id = '0199d1f0-0000-7c3a-9a51-2f6f0c7d9e10'
const created_at = '2026-10-10T08:00:00.000Z'

export const storeExample = {
  id,
  slug: 'harbor',
  name: 'Harbor Goods',
  email: 'hello@harbor.example',
  status: 'active',
  currency: 'EUR',
  languages: ['en', 'de'],
  default_language: 'en',
  country: 'DE',
  time_zone: 'Europe/Berlin',
  created_at,
  updated_at: created_at,
  deleted_at: null,
  purge_requested_at: null,
  purge_started_at: null,
}

export const deletedExample = {
  ...storeExample,
  status: 'deleted',
  updated_at: '2026-10-11T09:30:00.000Z',
  deleted_at: '2026-10-11T09:30:00.000Z',
}

export const ownerExample = {
  id: '01992f3e-7c1a-7b52-9d6e-5a1c0e4b7f21',
  email: 'hanne@harbor.example',
  firstname: 'Hanne',
  lastname: 'Clausen',
  role: 'owner',
  is_owner: true,
  is_active: true,
  created_at,
  updated_at: created_at,
}
