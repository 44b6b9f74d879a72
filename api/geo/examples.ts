export const zoneExample = { code: 'DE-SH', name: 'Schleswig-Holstein', parent: '' }

export const countryExample = { id: 'DE', alpha_3: 'DEU', name: 'Germany', is_active: true }

export const geoZoneExample = {
  id: '0199d1f0-6a1b-7c3a-9a51-2f6f0c7d9e21',
  name: 'Germany',
  description: 'Without Heligoland, which is outside the customs area',
  created_at: '2026-10-10T08:15:30.123Z',
}

export const memberExample = { country: 'DE', zone: '', postcode: '' }
