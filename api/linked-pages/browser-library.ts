import { config } from '#shared/platform/config/config.ts'

export interface CardSettings {
  /** The publishable key. */
  key: string
  /** The URL of the gateway's browser library. */
  library: string
}

/** Returns the gateway's browser library, with which the pages take cards. Null without a publishable key. */
export function cardSettings(): CardSettings | null {
  const { STRIPE_PUBLISHABLE_KEY: key, STRIPE_JS_URL: library } = config()
  return key ? { key, library } : null
}

interface Sources {
  scripts: string[]
  frames: string[]
  calls: string[]
}

/**
 * The sources that Stripe's security guide requires (Content Security Policy, Stripe.js), without the maps of its
 * address fields.
 */
const STRIPE: Sources = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
}

function sourcesOf({ library }: CardSettings): Sources {
  const { origin } = new URL(library)
  return origin === 'https://js.stripe.com'
    ? STRIPE
    : { scripts: [origin], frames: [origin], calls: [origin] }
}

/** Returns the content security policy of a page. With `cards` it allows the sources of the gateway's library. */
export function contentSecurityPolicy(cards: CardSettings | null): string {
  const own = "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
  if (!cards) return own
  const { scripts, frames, calls } = sourcesOf(cards)
  return [
    own,
    `script-src 'self' ${scripts.join(' ')}`,
    `frame-src ${frames.join(' ')}`,
    `connect-src 'self' ${calls.join(' ')}`,
  ].join('; ')
}
