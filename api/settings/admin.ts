import { changeSettings as change } from '#shared/stores/change-settings.ts'
import { StoreSettingsView, viewSettings } from '#shared/stores/settings-view.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { SettingsChanges } from './schemas.ts'

const example = {
  name: 'Harbor Goods',
  slug: 'harbor',
  email: 'hello@harbor.example',
  currency: 'EUR',
  languages: ['en', 'de'],
  default_language: 'en',
  time_zone: 'Europe/Berlin',
  guest_checkout_enabled: true,
  min_order_total: 10,
  stock_hold_seconds: 2100,
  unpaid_order_seconds: 86400,
}

export const readSettings = endpoint({
  method: 'get',
  path: '/admin/settings',
  access: staff('system:read'),
  summary: "Read the store's settings",
  returns: [200, StoreSettingsView],
  example: { data: example },
  async handle({ store }) {
    return viewSettings(store)
  },
})

export const changeSettings = endpoint({
  method: 'patch',
  path: '/admin/settings',
  access: staff('system:write'),
  summary: "Change the store's settings; what is left out stays",
  description: 'Time limits count for checkouts from now on. The currency and the slug stay as they are.',
  body: SettingsChanges,
  returns: [200, StoreSettingsView],
  example: { body: { min_order_total: 10 }, data: example },
  async handle({ tx, body }) {
    return viewSettings(await change(tx, body))
  },
})
