export const movementExample = {
  id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c010',
  variant_id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c002',
  delta: -2,
  reason: 'adjustment',
  reference: '',
  note: 'Broken in the stockroom',
  created_at: '2026-10-11T09:30:00.000Z',
}
