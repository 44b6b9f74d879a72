import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Router from '@koa/router'
import type { Context } from 'koa'
import { MAIL_LANGUAGES, mailLanguage } from '#shared/mail/define-mail.ts'
import { DEFAULT_PATHS, type LinkedPage } from '#shared/stores/settings/links.ts'
import { type CardSettings, cardSettings, contentSecurityPolicy } from './browser-library.ts'
import { type FormPage, writeFormPage } from './form-page.ts'
import { writeOrderPage } from './order-page.ts'
import { STYLE } from './style.ts'
import { writeSubscriptionPage } from './subscription-page.ts'
import type { Language } from './texts.ts'

const FORMS: Record<Exclude<LinkedPage, 'order' | 'subscription'>, Omit<FormPage, 'language'>> = {
  verify_email: { name: 'verify_email', account: 'customer' },
  reset_password: { name: 'reset_password', account: 'customer' },
  change_email: { name: 'change_email', account: 'customer' },
  staff_password: { name: 'reset_password', account: 'staff' },
  staff_email: { name: 'change_email', account: 'staff' },
}

const HEADERS = {
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
}

/** The modules of the pages, by name. */
const SCRIPTS: ReadonlyMap<string, string> = new Map(
  globSync('*.js', { cwd: join(import.meta.dirname, 'scripts') }).map((name) => [
    name,
    readFileSync(join(import.meta.dirname, 'scripts', name), 'utf8'),
  ]),
)

/** Serves the built-in pages of the links in mails, for stores without pages of their own. */
export function linkedPageRoutes(): Router {
  const router = new Router()
  for (const [link, page] of Object.entries(FORMS))
    router.get(DEFAULT_PATHS[link as LinkedPage], (ctx) =>
      send(ctx, 'html', writeFormPage({ ...page, language: languageOf(ctx) })),
    )
  router.get(DEFAULT_PATHS.order, (ctx) => sendPaymentPage(ctx, writeOrderPage))
  router.get(DEFAULT_PATHS.subscription, (ctx) => sendPaymentPage(ctx, writeSubscriptionPage))
  router.get('/pages/page.css', (ctx) => send(ctx, 'css', STYLE))
  for (const [name, script] of SCRIPTS) router.get(`/pages/${name}`, (ctx) => send(ctx, 'js', script))
  return router
}

const languageOf = (ctx: Context) => mailLanguage(ctx.acceptsLanguages([...MAIL_LANGUAGES]) || '')

function sendPaymentPage(
  ctx: Context,
  write: (language: Language, cards: CardSettings | null) => string,
): void {
  const cards = cardSettings()
  send(ctx, 'html', write(languageOf(ctx), cards), cards)
}

function send(ctx: Context, type: string, text: string, cards: CardSettings | null = null): void {
  ctx.set({ ...HEADERS, 'Content-Security-Policy': contentSecurityPolicy(cards) })
  ctx.type = type
  ctx.body = text
}
