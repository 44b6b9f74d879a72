import type { Context } from 'koa'
import type { TenantContext } from '#shared/stores/find-store.ts'

/** The store's language that suits the caller best (Accept-Language), else the store's default. */
export function languageOf(ctx: Context, visit: TenantContext | undefined): string {
  if (!visit) return 'en'
  const { languages, defaultLanguage } = visit.store
  return (ctx.get('Accept-Language') && ctx.acceptsLanguages(languages)) || defaultLanguage
}
