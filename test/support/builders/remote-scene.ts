import type { TestContext } from 'node:test'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { type buildTill, connectTill } from '#test/support/builders/remote.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

/** A store that is connected to a till, and calls of its staff. */
export async function buildRemoteScene(
  t: TestContext,
  till: Awaited<ReturnType<typeof buildTill>>,
  settings: Parameters<typeof connectTill>[2] = {},
) {
  t.after(() => {
    till.behave({ mode: 'normal' })
    till.release()
  })
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const key = await connectTill(store, till, settings)
  const browse = (query = '') => request(`GET /admin/remote/catalog?${query}`, { token })
  const importItem = (id: string, key?: string) =>
    request(`POST /admin/remote/catalog/${encodeURIComponent(id)}/import`, {
      token,
      ...(key ? { key } : {}),
    })
  const link = (item_id: string, product_id: string) =>
    request('POST /admin/remote/links', { token, body: { item_id, product_id } })
  return { store, token, key, browse, importItem, link }
}

/** The types of RemoteCatalogItem's fields. */
export const FIELDS = {
  id: 'string',
  name: 'string',
  type: 'string',
  is_active: 'boolean',
  code: 'string',
  sku: 'string',
  barcode: 'string',
  unit: 'string',
  price: 'string',
  vat_percent: 'string',
  category_id: 'string',
  category_name: 'string',
  image_url: 'string',
  update_date: 'date-time',
  linked: 'boolean',
  linked_product_id: 'string',
  vat_allowed: 'boolean',
  unit_known: 'boolean',
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** Only a date can be absent. */
export const typeOf = (value: unknown) =>
  value === null || DATE_TIME.test(String(value)) ? 'date-time' : typeof value
