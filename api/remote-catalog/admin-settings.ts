import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { memberIdOf } from '#api/platform/auth/callers.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { limitHostLookUps } from '#shared/platform/throttle/limit-host-look-ups.ts'
import { checkBaseUrl } from '#shared/remote-catalog/connection/check-base-url.ts'
import { RemoteSettingsView, viewConnection } from '#shared/remote-catalog/connection/connection-view.ts'
import { replaceConnection } from '#shared/remote-catalog/connection/replace-connection.ts'
import { findConnection, type RemoteConnection } from '#shared/remote-catalog/connection.ts'
import { RemoteErrors } from '#shared/remote-catalog/errors.ts'
import { settingsExample as example } from './examples.ts'
import { RemoteSettingsRequest } from './schemas.ts'

const respondWithSettings = (connection: RemoteConnection | undefined) =>
  reply(200, viewConnection(connection), connection ? { ETag: entityTag(connection) } : {})

export const readRemoteSettings = endpoint({
  method: 'get',
  path: '/admin/remote/settings',
  access: staff('system:read'),
  summary: 'Read the connection to the external system',
  description: 'The API key is never shown. Without a connection, the response contains the defaults.',
  returns: [200, RemoteSettingsView],
  example: { data: example },
  async handle({ tx }) {
    return respondWithSettings(await findConnection(tx))
  },
})

export const replaceRemoteSettings = endpoint({
  method: 'put',
  path: '/admin/remote/settings',
  access: staffNotSupport('system:write'),
  audit: { action: 'putAdminRemoteSettings', resource: 'remote/settings' },
  // The DNS lookup runs before the transaction.
  transaction: 'manual',
  recentSignIn: true,
  summary: 'Replace the connection to the external system',
  description:
    'Replaces all settings, except for an omitted API key. The rate limit applies to all stores that use the same ' +
    'key at the same host.\n\n' +
    'The external system must respond to these requests, which carry the API key in `X-Api-Key`:\n\n' +
    '- `GET {base_url}/items?page=1&page_size=50&q=&category_id=&is_active=true&updated_since=` with `{"items": […], ' +
    '"total": 3000}`, at most `page_size` items;\n- `GET {base_url}/items/{id}` with one item, or 404.\n\n' +
    'An item has an `id` and any of `name, type, is_active, code, sku, barcode, unit, price, vat_percent, ' +
    'category_id, category_name, image_url, update_date`. A response has at most 512 KiB. The service respects a 429 ' +
    'with `Retry-After`.',
  body: RemoteSettingsRequest,
  returns: [200, RemoteSettingsView],
  errors: [
    CommonErrors.changed,
    RemoteErrors.apiKeyRequired,
    RemoteErrors.urlInvalid,
    RemoteErrors.urlHttpsRequired,
    RemoteErrors.urlNotPublic,
  ],
  example: {
    body: { base_url: example.base_url, api_key: 'k'.repeat(24), shared_with_till: true },
    data: example,
  },
  async handle({ store, staff, body, ifMatch, unitOfWork }) {
    const { baseUrl: requested, ...rest } = toCamelCase(body)
    if (requested !== null) await limitHostLookUps(store.id)
    const baseUrl = requested === null ? null : await checkBaseUrl(requested)
    return unitOfWork.inStore(store.id, async (tx) =>
      respondWithSettings(await replaceConnection(tx, memberIdOf(staff), { ...rest, baseUrl }, ifMatch)),
    )
  },
})
