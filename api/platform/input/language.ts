import type { Context } from 'koa'
import type { TenantContext } from '#shared/stores/find-store.ts'

/** The store's language that fits Accept-Language best, else the store's default. */
export function languageOf(ctx: Context, tenant: TenantContext | undefined): string {
  if (!tenant) return 'en'
  const { languages, defaultLanguage } = tenant.store
  return (ctx.get('Accept-Language') && ctx.acceptsLanguages(languages)) || defaultLanguage
}
