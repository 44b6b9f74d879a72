import type { Context } from 'koa'
import { StoreAccessErrors } from '#api/platform/errors.ts'
import { config } from '#shared/platform/config/config.ts'
import { domainOfHost } from '#shared/stores/domains/domain-name.ts'
import { findStoreByDomain, type TenantContext } from '#shared/stores/find-store.ts'

const RESPONSE_HEADERS = [
  'Challenge-Site-Key',
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
].join(', ')

/** Throws `auth.origin_not_allowed` for an origin that the request's store does not allow. */
export async function checkOrigin(ctx: Context, tenant: TenantContext): Promise<void> {
  const origin = ctx.get('Origin')
  if (!origin) return
  ctx.state.originChecked = true
  if (!(await isAllowedOrigin(ctx, origin, tenant))) throw StoreAccessErrors.originNotAllowed()
  allowOrigin(ctx, origin)
}

/** Lets the page of an origin read the response. */
export function allowOrigin(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin)
  ctx.set('Access-Control-Expose-Headers', RESPONSE_HEADERS)
}

/** Whether an origin is the service itself. The API's reference page calls it. */
export const isOwnOrigin = (origin: string): boolean => origin === new URL(config().PUBLIC_URL).origin

/** Whether the key's list has the origin, or the origin is the store's own domain or the service itself. */
async function isAllowedOrigin(ctx: Context, origin: string, tenant: TenantContext): Promise<boolean> {
  const { allowedOrigins, store } = tenant
  if (origin === 'null') return false
  if (allowedOrigins && (allowedOrigins.length === 0 || allowedOrigins.includes(origin))) return true
  if (isOwnOrigin(origin)) return true
  const domain = ownDomainOf(ctx, origin)
  return domain !== undefined && (await findStoreByDomain(domain))?.store.id === store.id
}

/** Returns the domain of an origin: the called host with its port, or any host over https. */
function ownDomainOf(ctx: Context, origin: string): string | undefined {
  const [, scheme, host = ''] = /^(https?):\/\/(.+)$/.exec(origin) ?? []
  if (host === ctx.host.toLowerCase()) return domainOfHost(ctx.hostname)
  return scheme === 'https' ? domainOfHost(host) : undefined
}
