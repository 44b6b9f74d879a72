export const cartExample = {
  id: '01992f3d-11aa-7c3e-8d47-2b9f0a6c1e54',
  currency: 'EUR',
  prices_include_tax: false,
  items: [
    {
      id: '01992f3d-11b0-7d21-9a55-7e3c4d1f8b02',
      product_id: '01992e10-5a6b-7c8d-9e0f-1a2b3c4d5e6f',
      variant_id: '01992e10-5a70-7b1c-8f2d-3e4a5b6c7d8e',
      name: 'Stoneware mug',
      sku: 'MUG-BLUE',
      quantity: 2,
      unit_price: 12.4,
      line_total: 24.8,
      discount_total: 0,
      tax_total: 0,
      net_total: 24.8,
      total: 24.8,
      image_url: 'https://images.example/mug-blue.jpg',
      available: true,
      variant: { price: 14, sale_price: 12.4 },
      recurring: null,
      voucher: null,
    },
  ],
  coupon: null,
  subtotal: 24.8,
  discount_total: 0,
  shipping_total: 0,
  shipping_tax_total: 0,
  tax_total: 0,
  taxes: [],
  net_total: 24.8,
  total: 24.8,
  card_total: 24.8,
  card_rounding: 0,
  min_order_total: 10,
  guest_checkout_enabled: true,
  metadata: {},
}

export const emptyCartExample = {
  ...cartExample,
  items: [],
  subtotal: 0,
  net_total: 0,
  total: 0,
  card_total: 0,
}

export const newCartExample = { ...cartExample, token: 'Jx0u1fZ8Qn3cWk5tR7yB9vD2sG4hL6mP8qX0zA1eC3o' }

export const cartCouponExample = {
  code: 'WELCOME10',
  name: 'Ten percent off the first order',
  type: 'percent',
  value: 10,
  free_shipping: false,
  applied: true,
  reason: '',
}

export const discountedCartExample = {
  ...cartExample,
  items: cartExample.items.map((item) => ({ ...item, discount_total: 2.48, net_total: 22.32, total: 22.32 })),
  coupon: cartCouponExample,
  discount_total: 2.48,
  net_total: 22.32,
  total: 22.32,
  card_total: 22.32,
}
