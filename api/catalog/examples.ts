const ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4c001'
const VARIANT_ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4c002'
const CATEGORY_ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4c003'
const IMAGE_ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4c004'
const MANUFACTURER_ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4c005'
const CREATED = '2026-10-11T09:30:00.000Z'
const IMAGE_URL = 'https://images.harbor.example/keel-rain-jacket/1.jpg'

const VARIANT_CARD = {
  id: VARIANT_ID,
  sku: 'HG-KEEL-S',
  option_values: { Size: 'S' },
  price: 189,
  price_net: 158.82,
  sale_price: 159,
  current_price: 159,
  current_price_net: 133.61,
  in_stock: true,
}

const CARD = {
  id: ID,
  slug: 'keel-rain-jacket',
  sku: '',
  name: 'Keel Rain Jacket',
  price: 189,
  price_net: 158.82,
  tax_rate: 19,
  special_price: 159,
  current_price: 159,
  current_price_net: 133.61,
  in_stock: true,
  stock_status_name: 'In stock',
  image_url: IMAGE_URL,
  tags: ['rain'],
  created_at: CREATED,
}

export const PRODUCT_CARD = { ...CARD, variants: [VARIANT_CARD] }

const IMAGE = { id: IMAGE_ID, url: IMAGE_URL, alt: 'On a peg by the door', position: 0, variant_ids: [] }
const OPTIONS = [{ name: 'Size', values: ['S', 'M'] }]

const ATTRIBUTE = {
  id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c006',
  attribute_id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c007',
  attribute_name: 'Material',
  group_id: '0199b1c2-7a10-7c3e-8f21-5b8de0a4c008',
  group_name: 'Fabric',
  value: 'Recycled polyester',
}

const PRICE_RULES = [
  {
    kind: 'special',
    min_quantity: 1,
    price: 169,
    starts_at: CREATED,
    ends_at: '2026-12-24T23:00:00.000Z',
    customer_group_id: null,
  },
  { kind: 'quantity', min_quantity: 3, price: 149, starts_at: null, ends_at: null, customer_group_id: null },
]

export const CATEGORY = {
  id: CATEGORY_ID,
  parent_id: null,
  slug: 'outerwear',
  name: 'Outerwear',
  description: '',
  position: 0,
}

const CRUMB = { id: CATEGORY_ID, slug: 'outerwear', name: 'Outerwear' }

export const CATEGORY_PAGE = { ...CATEGORY, breadcrumbs: [CRUMB], children: [] }

export const PRODUCT_PAGE = {
  ...CARD,
  description: 'A three-layer shell.',
  seo: { title: '', description: '' },
  manufacturer: { id: MANUFACTURER_ID, name: 'Fjord & Fen' },
  weight: 520,
  dimensions: null,
  options: OPTIONS,
  images: [IMAGE],
  variants: [
    {
      ...VARIANT_CARD,
      sale_starts_at: null,
      sale_ends_at: null,
      barcode: '2104000100017',
      weight: 520,
      stock_available: 6,
      backorder: false,
    },
  ],
  attributes: [ATTRIBUTE],
  quantity_discounts: [{ min_quantity: 3, price: 149, price_net: 125.21 }],
  recurring_plans: [
    {
      id: '01992f52-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
      name: 'Every year',
      price: 139,
      price_net: 116.81,
      duration: 1,
      duration_unit: 'year',
      cycle: 3,
      trial: null,
    },
  ],
  breadcrumbs: [CRUMB],
  related: [],
}

export const NEW_PRODUCT = {
  name_i18n: { en: 'Keel Rain Jacket', de: 'Regenjacke Keel' },
  price: 189,
  category_ids: [CATEGORY_ID],
  options: OPTIONS,
  variants: [{ sku: 'HG-KEEL-S', option_values: { Size: 'S' }, sale_price: 159, stock_on_hand: 6 }],
  images: [{ url: IMAGE_URL, alt: IMAGE.alt }],
}

export const PRODUCT = {
  id: ID,
  slug: 'keel-rain-jacket',
  sku: '',
  name_i18n: NEW_PRODUCT.name_i18n,
  description_i18n: {},
  seo: {},
  manufacturer_id: null,
  tax_class_id: null,
  stock_status_id: null,
  category_ids: [CATEGORY_ID],
  price: 189,
  weight: null,
  dimensions: null,
  options: OPTIONS,
  images: [IMAGE],
  attributes: [ATTRIBUTE],
  price_rules: PRICE_RULES,
  related_ids: ['0199b1c2-7a10-7c3e-8f21-5b8de0a4c009'],
  tags: ['rain'],
  is_active: true,
  metadata: { erp_id: '4711' },
  variants: [
    {
      id: VARIANT_ID,
      sku: 'HG-KEEL-S',
      position: 0,
      option_values: { Size: 'S' },
      price: null,
      sale_price: 159,
      sale_starts_at: null,
      sale_ends_at: null,
      barcode: '',
      weight: null,
      stock_on_hand: 6,
      stock_available: 6,
      backorder: false,
      is_active: true,
      metadata: {},
    },
  ],
  created_at: CREATED,
  updated_at: CREATED,
  deleted_at: null,
}
