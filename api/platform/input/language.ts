import type { Context } from 'koa'
import type { TenantContext } from '#shared/stores/find-store.ts'

// Browsers send a tenth of this. Each language in the header is compared with each language of the store. With a header
// of 16 KB and thirty languages this would block the process for 40 ms.
const MAX_LENGTH = 1_000

/**
 * Returns the store's language that fits Accept-Language best, or else the store's default. A header that is too long
 * is ignored.
 */
export function languageOf(ctx: Context, tenant: TenantContext | undefined): string {
  if (!tenant) return 'en'
  const { languages, defaultLanguage } = tenant.store
  const { length } = ctx.get('Accept-Language')
  return (length > 0 && length <= MAX_LENGTH && ctx.acceptsLanguages(languages)) || defaultLanguage
}
