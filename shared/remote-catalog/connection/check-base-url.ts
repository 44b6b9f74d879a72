import { config } from '#shared/platform/config/config.ts'
import { isPublicAddress } from '#shared/platform/net/public-address.ts'
import { type CheckedUrl, hostOf, isLocal, readPublicUrl } from '#shared/platform/net/public-url.ts'
import { type ResolveName, resolveHost } from '#shared/platform/net/resolve-host.ts'
import { RemoteErrors } from '#shared/remote-catalog/errors.ts'

const FAULTS = {
  invalid: RemoteErrors.urlInvalid,
  https_required: RemoteErrors.urlHttpsRequired,
  not_public: RemoteErrors.urlNotPublic,
}

/**
 * Checks the base URL of an external system like a webhook URL: https, and every address its host resolves to is
 * public. A host that does not resolve is accepted: each read resolves and checks it again. Returns the URL without a
 * trailing slash. Throws `remote.url_*`. Call it outside a transaction, because DNS can be slow.
 */
export async function checkBaseUrl(text: string, resolve?: ResolveName): Promise<CheckedUrl> {
  const url = readPublicUrl(text, { allowLocal: config().ALLOW_LOCAL_HOSTS })
  if (typeof url === 'string') throw FAULTS[url]()
  if (/[?#]/.test(text)) throw RemoteErrors.urlInvalid()
  const host = hostOf(url)
  const addresses = isLocal(host) ? [] : await resolveHost(host, resolve).catch(() => [])
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw RemoteErrors.urlNotPublic()
  return url.href.replace(/\/+$/, '') as CheckedUrl
}
