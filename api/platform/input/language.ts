import type { Context } from 'koa'
import type { TenantContext } from '#shared/stores/find-store.ts'

// Browsers send a tenth of it. Each language in the header is compared with each of the store's: a header of 16 KB and
// thirty languages would block the process for 40 ms.
const MAX_LENGTH = 1_000

/**
 * The store's language that fits Accept-Language best, else the store's default. A header that is too long is ignored.
 */
export function languageOf(ctx: Context, tenant: TenantContext | undefined): string {
  if (!tenant) return 'en'
  const { languages, defaultLanguage } = tenant.store
  const { length } = ctx.get('Accept-Language')
  return (length > 0 && length <= MAX_LENGTH && ctx.acceptsLanguages(languages)) || defaultLanguage
}
