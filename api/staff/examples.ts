const at = '2026-10-11T09:30:00.000Z'

export const roleExample = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e11',
  name: 'warehouse',
  rights: ['catalog:read', 'sales:read', 'sales:write'],
  is_preset: false,
  created_at: at,
  updated_at: at,
}

export const userExample = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e12',
  email: 'grace@example.com',
  firstname: 'Grace',
  lastname: 'Hopper',
  role: 'sales',
  is_owner: false,
  is_active: true,
  created_at: at,
  updated_at: at,
}
