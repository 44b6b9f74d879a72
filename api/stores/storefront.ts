import { storefront } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { readWholeStore } from '#shared/stores/store.ts'
import { StoreInfoView, viewStoreInfo } from '#shared/stores/view.ts'

export const readStoreInfo = endpoint({
  method: 'get',
  path: '/settings/store-info',
  access: storefront,
  summary: 'Read the public information of the store',
  returns: [200, StoreInfoView],
  example: {
    data: {
      name: 'Harbor Goods',
      slug: 'harbor',
      email: 'hello@harbor.example',
      currency: 'EUR',
      default_language: 'en',
      country: 'DE',
      prices_include_tax: true,
      cross_border_prices: 'keep_gross',
      languages: ['en', 'de'],
      time_zone: 'Europe/Berlin',
      guest_checkout_enabled: true,
      min_order_total: 10,
      catalog: { page_size: 20 },
      seo: { title: 'Harbor Goods' },
    },
  },
  async handle({ tx }) {
    return viewStoreInfo(await readWholeStore(tx))
  },
})
