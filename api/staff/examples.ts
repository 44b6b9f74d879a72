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

export const apiTokenExample = {
  id: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e13',
  name: 'Warehouse scanner',
  hint: 'cx_sk_live_…9f1c',
  mode: 'live',
  rights: ['catalog:read', 'sales:read'],
  created_by: userExample.id,
  created_at: at,
  updated_at: at,
  expires_at: '2027-10-11T09:30:00.000Z',
  last_used_at: '2026-10-12T07:00:00.000Z',
}

export const apiTokenTextExample = `cx_sk_live_${'x'.repeat(68)}9f1c`
