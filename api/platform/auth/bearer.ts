import type { Context } from 'koa'
import { AuthErrors } from '#shared/identity/errors.ts'

/** The request's bearer token, not yet verified. Throws 401 `auth.not_authenticated` without one. */
export function bearerOf(ctx: Context): string {
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(ctx.get('Authorization')) ?? []
  if (!token) throw AuthErrors.notAuthenticated()
  return token
}
