import Router from '@koa/router'
import type { Context } from 'koa'
import { MAIL_LANGUAGES, mailLanguage } from '#shared/mail/define-mail.ts'
import { DEFAULT_PATHS, type LinkedPage } from '#shared/stores/links.ts'
import { ORDER_SCRIPT, writeOrderPage } from './order-page.ts'
import { type PlainPage, writePage } from './page.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'

const FORMS: Record<Exclude<LinkedPage, 'order'>, Omit<PlainPage, 'language'>> = {
  verify_email: { name: 'verify_email', account: 'customer' },
  reset_password: { name: 'reset_password', account: 'customer' },
  change_email: { name: 'change_email', account: 'customer' },
  staff_password: { name: 'reset_password', account: 'staff' },
  staff_email: { name: 'change_email', account: 'staff' },
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
}

/** Plain pages for the links in mails of stores without pages of their own. */
export function pageRoutes(): Router {
  const router = new Router()
  for (const [link, page] of Object.entries(FORMS))
    router.get(DEFAULT_PATHS[link as LinkedPage], (ctx) =>
      send(ctx, 'html', writePage({ ...page, language: languageOf(ctx) })),
    )
  router.get(DEFAULT_PATHS.order, (ctx) => send(ctx, 'html', writeOrderPage(languageOf(ctx))))
  router.get('/pages/order.js', (ctx) => send(ctx, 'js', ORDER_SCRIPT))
  router.get('/pages/page.js', (ctx) => send(ctx, 'js', SCRIPT))
  router.get('/pages/page.css', (ctx) => send(ctx, 'css', STYLE))
  return router
}

const languageOf = (ctx: Context) => mailLanguage(ctx.acceptsLanguages([...MAIL_LANGUAGES]) || '')

function send(ctx: Context, type: string, text: string): void {
  ctx.set(HEADERS)
  ctx.type = type
  ctx.body = text
}
