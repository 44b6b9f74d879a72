export const settingsExample = {
  base_url: 'https://till.example.com/api',
  has_api_key: true,
  requests_per_second: 2,
  burst: 1,
  shared_with_till: true,
  till_reserve_percent: 50,
  created_by: '0199d1f0-5b7e-7c3a-9a51-2f6f0c7d9e12',
  updated_at: '2026-10-11T09:30:00.000Z',
}

export const linkExample = {
  id: '0199d1f2-3333-7c3a-9a51-2f6f0c7d9e10',
  item_id: 'item-00042',
  product_id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c001',
  created_at: '2026-10-11T09:30:00.000Z',
}

export const catalogExample = {
  items: [
    {
      id: linkExample.item_id,
      name: 'Brass lantern',
      type: 'product',
      is_active: true,
      code: 'C00042',
      sku: 'TILL-00042',
      barcode: '4000000332598',
      unit: 'pcs',
      price: '42.90',
      vat_percent: '19.00',
      category_id: 'cat-2',
      category_name: 'Lanterns',
      image_url: 'https://till.example.com/images/42.jpg',
      update_date: '2026-10-09T18:00:00.000Z',
      linked: true,
      linked_product_id: linkExample.product_id,
      vat_allowed: true,
      unit_known: true,
    },
  ],
  page: 1,
  page_size: 50,
  total: 1,
}
